"""The reading room: a static site of all public content. Pure: values in, files out."""
