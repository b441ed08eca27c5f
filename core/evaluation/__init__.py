"""Judging what came out, by exported files alone."""
