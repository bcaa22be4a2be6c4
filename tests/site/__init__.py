"""The site: what it is built from, and every lesson of it in the browser."""
