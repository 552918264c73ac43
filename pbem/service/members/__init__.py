"""Members: joining, leaving, names, settings, addresses, bounces and absences."""
