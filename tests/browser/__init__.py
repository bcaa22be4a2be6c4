"""JupyterLab in headless Chromium."""
