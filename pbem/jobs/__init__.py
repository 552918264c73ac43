"""Jobs: what a running club does besides, again and again, over the inbox and the use cases."""
