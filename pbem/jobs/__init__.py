"""Jobs: the regular work of a running club, by way of the inbox and the use cases."""
