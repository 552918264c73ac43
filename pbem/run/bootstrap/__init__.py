"""Bootstrap: the only place where ports get their adapters."""
