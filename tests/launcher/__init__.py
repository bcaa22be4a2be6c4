"""course.py as learners start it: set up, killed, moved, started twice."""
