"""From a source to two notebooks: read, make, run, write, compare."""
