"""What each version of Faut pas pousser changed. A version is new when the same numbers would mean another match."""

VERSIONS = {
    1: "The first: rules F1–F19, 247 actions, 101 floats.",
}
