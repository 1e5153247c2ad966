"""What each version of Walk the Plank changed. A version is new when the same numbers would mean another match."""

VERSIONS = {
    1: "The first: rules W1–W20, 820 actions, 281 floats.",
}
