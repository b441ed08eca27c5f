"""Data: styles, lexicon, locales and the settings that a deployment makes."""
