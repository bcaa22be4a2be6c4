"""Notebooks that a test writes into the served folder."""

import json


def write_notebook(server, name, *sources):
    """Put a notebook with these code cells into the served folder."""
    cells = [
        {
            "cell_type": "code",
            "id": f"c{number}",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": source,
        }
        for number, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (server.root / f"{name}.ipynb").write_text(json.dumps(whole), "utf-8")
