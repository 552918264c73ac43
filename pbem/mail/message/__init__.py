"""Messages: from bytes to header fields and text."""
