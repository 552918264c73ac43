"""Painters: a diagram as a picture (SVG), as an HTML table or in a terminal's colours."""
