/**
 * The plank, for the page and for the picture. What follows the equals sign is JSON: `picture.py` reads it too. Lengths in
 * braces: it goes from a to b, h deep from y down; x is the middle of a slot.
 */
export const SHAPES = {
  "plank": "M{a} {y}H{b-16}L{b} {y+h}H{a}Z",
  "grain": "M{x-56} {y+.5h}h28m56 0h28"
};
