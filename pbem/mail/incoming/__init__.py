"""The reading side of mail: bytes in, values out; whatever a client sends, nothing here raises."""
