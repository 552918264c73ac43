"""The archive: records as files, their index, cross-tables of sets. Pure: bytes out."""
