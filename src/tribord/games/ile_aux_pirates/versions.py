"""What each version of L'Île aux Pirates brought. A version is new where the same numbers would mean another match."""

VERSIONS = {
    1: "The first: rules I1–I19, 90 actions, 324 floats.",
}
