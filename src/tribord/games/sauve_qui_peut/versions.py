"""What each version of Sauve qui peut ! brought. The version changes when the same numbers mean another match."""

VERSIONS = {
    1: "The first: rules S1–S22, 62 actions, 270 floats.",
}
