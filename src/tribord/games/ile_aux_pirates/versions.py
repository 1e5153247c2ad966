"""What each version of L'Île aux Pirates brought. The version changes when the same numbers mean another match."""

VERSIONS = {
    1: "The first: rules I1–I19, 90 actions, 324 floats.",
}
