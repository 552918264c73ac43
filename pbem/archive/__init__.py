"""The archive: records as files, their index and competition tables. Pure: it returns bytes."""
