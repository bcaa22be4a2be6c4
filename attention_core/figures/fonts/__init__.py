"""The bundled Chinese font, its licence, and the script that cut it."""
