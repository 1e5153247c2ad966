/**
 * The shapes of the house, drawn by the page and by the pictures for researchers. What follows the equals sign is JSON:
 * Python reads it too (`tribord.core.art`). A length in braces is a sum that the drawing code fills in: `{x-34}`, `{y+.4h}`.
 */
export const HOUSE = {
  "crews": {
    "blue": "M0-44A44 44 0 1 1 0 44A44 44 0 1 1 0-44Z",
    "green": "M0-46L45-13L30 41H-30L-45-13Z",
    "red": "M0-52L48 0L0 50L-48 0Z",
    "yellow": "M-30-42H30Q41-42 41-31V31Q41 42 30 42H-30Q-41 42-41 31V-31Q-41-42-30-42Z",
    "lilac": "M-24-44H24L47 0L24 44H-24L-47 0Z",
    "bone": "M0-52L50 38H-50Z",
    "brown": "M-40 44V-6A40 40 0 0 1 40-6V44Z"
  },
  "head": [0, 2, 27],
  "faces": [
    { "dots": [[-10, -3, 3.4]], "line": "M6-8l9 9m0-9l-9 9", "mouth": "M-14 10Q0 24 14 10" },
    { "dots": [[-10, -3, 3.4], [10, -3, 3.4]], "line": "M-16-12l9 2M16-12l-9 2", "mouth": "M-10 14H12" },
    { "dots": [[-10, -3, 3.4]], "patch": "M2-9h17q1 12-8 13-9-1-9-13zM2-9L-25-15M19-9l5-4", "mouth": "M-13 9Q0 25 13 9ZM-3 16v5" },
    { "line": "M-15-2q5-6 10 0M5-2q5-6 10 0", "mouth": "M-14 9Q0 28 14 9Z" },
    { "eyes": [[-9, -4, 7], [10, -4, 7]], "dots": [[-7, -3, 3], [7, -3, 3]], "mouth": "M-6 14a6 5 0 1 0 12 0a6 5 0 1 0-12 0" },
    { "dots": [[-10, -2, 3]], "line": "M-15-6h10M6-8l9 9m0-9l-9 9", "mouth": "M-13 15Q0 6 13 14" }
  ],
  "hat": "M-52-26C-46-40-34-40-30-38C-24-62 24-62 30-38C34-40 46-40 52-26C30-34-30-34-52-26Z",
  "crossbones": "M-8-46l16 8m0-8l-16 8",
  "swell": "q20-9 40 0t40 0",
  "stern": {
    "mast": "M{.36x} {y}V{y-150}",
    "pennant": "M{.36x} {y-146}q{.26x} 4 {.44x} 44q{-.2x} 6 {-.44x} 2z",
    "hull": "M-20 {y}H{x}Q{x+6} {y+.4h} {x-34} {y+.88h}Q{.5x} {y+1.08h} -20 {y+h}Z",
    "seams": [
      "M-10 {y+.2h-6}Q{.5x} {y+.2h+8} {x-11.2} {y+.2h-4}",
      "M-10 {y+.42h-6}Q{.5x} {y+.42h+8} {x-16.92} {y+.42h-4}",
      "M-10 {y+.64h-6}Q{.5x} {y+.64h+8} {x-22.64} {y+.64h-4}",
      "M-10 {y+.84h-6}Q{.5x} {y+.84h+8} {x-27.84} {y+.84h-4}"
    ],
    "rail": "M-20 {y-26}H{x-8}M{.2x} {y-26}V{y}M{.5x} {y-26}V{y}M{.8x} {y-26}V{y}",
    "ports": [
      "M{.24x+3} {y+.36h}h{.14x-6}q3 0 3 3v{.13h-6}q0 3-3 3h{-.14x+6}q-3 0-3-3v{-.13h+6}q0-3 3-3Z",
      "M{.56x+3} {y+.36h}h{.14x-6}q3 0 3 3v{.13h-6}q0 3-3 3h{-.14x+6}q-3 0-3-3v{-.13h+6}q0-3 3-3Z"
    ]
  }
};
