"""The reading room: a static site of what may be read by everybody. Pure: values in, files out."""
