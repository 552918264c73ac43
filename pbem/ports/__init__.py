"""Ports: protocols for everything outside the use cases, and the values they exchange.

All datetimes are aware and in UTC. Adapters implement these protocols. Tests run one contract suite
per port, on the hand-written fakes and on the real adapters.
"""
