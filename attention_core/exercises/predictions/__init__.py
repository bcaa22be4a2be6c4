"""Questions to answer before a lesson shows the result."""
