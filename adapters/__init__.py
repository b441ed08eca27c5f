"""Every contact with the outside."""
