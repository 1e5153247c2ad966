"""What each version of Sauve qui peut ! brought. A version is new where the same numbers would mean another match."""

VERSIONS = {
    1: "The first: rules S1–S22, 62 actions, 270 floats.",
}
