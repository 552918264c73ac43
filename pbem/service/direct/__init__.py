"""Direct: what directors do by their role, at the shell and by mail alike."""
