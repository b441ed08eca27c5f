"""A stand-in for Discord on loopback: its REST, its gateway, its people."""
