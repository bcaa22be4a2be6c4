"""Answers to the exercises of lesson NN that are wrong, and that are right in another way."""

WRONG = {"NAME_task": {}}  # TODO at least eight, known mistakes counted
RIGHT = {"NAME_task": {}}  # TODO at least three
