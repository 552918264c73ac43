"""Adapters: one module per outside system, each implementing ports of the services."""
