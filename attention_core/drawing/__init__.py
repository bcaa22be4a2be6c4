"""What every picture and widget is drawn with; it takes numbers and knows no mathematics."""
