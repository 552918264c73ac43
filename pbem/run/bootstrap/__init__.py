"""Bootstrap: the only place that connects ports to their adapters."""
