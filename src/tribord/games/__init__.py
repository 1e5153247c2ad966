"""The games, one folder each, found by name. Games never import each other."""
