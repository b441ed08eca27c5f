"""Changing a song: edits as values, instant functions that apply them, and what differs between two versions."""
