"""The site: every lesson to run in the browser, to read, to print and to show as slides."""
