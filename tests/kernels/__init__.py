"""Lessons in a kernel of their own: used in any order, and made anew."""
