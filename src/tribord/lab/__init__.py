"""The lab: many matches at once. Simulation, position counts, speed."""
