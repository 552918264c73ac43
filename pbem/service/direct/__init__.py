"""Direct: what directors do by their role, on the command line and by email."""
