"""Core knows no game: the rule contract, records, chance, sealed choices, events, words, match and match file."""
