/**
 * Ship, plank, Locker, pirates and cards, for the page and for the picture. What follows the equals sign is JSON:
 * `picture.py` reads it too. Lengths in braces: x is where the ship ends, y its deck, h its depth, far where it begins, m the
 * mast, t its top; w is the width of a tile, g the gap before it, s how far it sags. A circle is x, y and its radius.
 */
export const SHAPES = {
  "ship": {
    "stays": "M{m} {t+24}L{.86x} {y-20}M{m} {t+24}L-40 {y-90}M{m-3} {t+130}l{-m} 60",
    "mast": "M{m-6} {y}L{m-4} {t}H{m+4}L{m+6} {y}Z",
    "flag": "M{m+4} {t+2}q{.14x} -12 {.26x} 2t{.22x} -2v40q{-.1x} 14 {-.22x} 2t{-.26x} -2Z",
    "spyglass": "M20-6l46-10 3 12-47 6Z",
    "nest": "M{m-34} {t+88}H{m+34}L{m+26} {t+118}H{m-26}Z",
    "staves": "M{m-31} {t+98}h62M{m-28} {t+108}h56",
    "hull": "M{far} {y}H{x}Q{x+4} {y+.44h} {x-36} {y+.9h}Q{.5x} {y+1.1h} {far} {y+h}Z",
    "seams": "M{far} {y+.24h}Q{.5x} {y+.24h+12} {x-15.2} {y+.24h-2}M{far} {y+.46h}Q{.5x} {y+.46h+12} {x-21.8} {y+.46h-2}M{far} {y+.68h}Q{.5x} {y+.68h+12} {x-28.4} {y+.68h-2}M{far} {y+.88h}Q{.5x} {y+.88h+12} {x-34.4} {y+.88h-2}",
    "ports": [
      "M{.2x+3} {y+.17h}h{.14x-6}q3 0 3 3v{.15h-6}q0 3-3 3h{-.14x+6}q-3 0-3-3v{-.15h+6}q0-3 3-3Z",
      "M{.52x+3} {y+.17h}h{.14x-6}q3 0 3 3v{.15h-6}q0 3-3 3h{-.14x+6}q-3 0-3-3v{-.15h+6}q0-3 3-3Z"
    ],
    "deck": "M{far} {y-7}H{x+6}V{y+11}H{far}Z",
    "board": "M{far} {y+3}H{x}",
    "post": "M{x} {y-28}q-7 10 0 28M{x} {y-28}q7 10 0 28",
    "rail": "M{far} {y-31}H{x-26}q9 0 9 7V{y}"
  },
  "tile": {
    "lash": "M4 2L{-g-4} {4-s}M4 12L{-g-4} {14-s}",
    "board": "M0-7H{w-5}L{w} 20H0Z",
    "grain": "M10 3H{.36w}M{.68w} 3h{.22w}M14 13h{.2w}M{.72w} 13h{.16w}",
    "plate": "M{.5w-17} 1h34v29q-17 9-34 0Z"
  },
  "locker": {
    "lid": "M-60-20Q-56-54 0-54Q56-54 60-20Z",
    "straps": "M-34-50Q-38-36-38-20M34-50Q38-36 38-20",
    "chest": "M-60-14H60L54 26H-54Z",
    "hoops": "M-38-14l2 40M38-14l-2 40",
    "dark": "M-58-20H58V-12H-58Z",
    "lock": "M-9-8H9V8Q0 14-9 8Z"
  },
  "favour": {
    "ribbon": "M-9 8l-7 22 9-4 5 8 3-20M9 8l7 22-9-4-5 8-3-20",
    "rims": [19, 14],
    "crown": "M-11 3C-9-3-6-4-5-3C-4-11 4-11 5-3C6-4 9-3 11 3C6 0-6 0-11 3Z"
  },
  "skull": {
    "bone": "M-9-2a9 9 0 1 1 18 0q0 5-4 7v5H-5V5q-4-2-4-7Z",
    "eyes": [[-3.6, -2, 2.4], [3.6, -2, 2.4]],
    "teeth": "M-2 6v4M2 6v4",
    "crossed": "M-15-9L15 11M15-9L-15 11",
    "sockets": "M-4-2h.1M4-2h.1"
  },
  "pirate": {
    "legs": "M-14-30V-6M14-30V-6",
    "shoes": "M-22-12h15v6q8 1 8 6h-23ZM6-12h15v6q8 1 8 6H6Z",
    "arms": {
      "stands": "M-36-58q-14 6-14 22M36-58q14 6 14 22",
      "pushes": "M24-70q24-6 44-2M26-50q22 4 42-2M66-80v28M66-58v14",
      "holds": "M-36-58q-10 8-12 20M34-60q16 2 30 0",
      "flails": "M-34-72q-16-12-18-34M34-72q16-12 18-34",
      "cheers": "M-34-74q-14-14-12-42M34-74q14-14 12-42",
      "sinks": "M-34-72q-16-12-18-34M34-72q16-12 18-34"
    },
    "tricorne": "M-48-22C-44-36-32-38-27-35C-20-60 20-60 27-35C32-38 44-36 48-22C26-30-26-30-48-22Z",
    "bones": "M-7-45l14 8m0-8l-14 8",
    "scarf": "M-30-13C-29-46 29-46 30-13C14-22-14-22-30-13ZM29-17l14-8-2 9 9 5-16 3Z",
    "dots": "M-13-28h.1M1-33h.1M15-27h.1M2-23h.1",
    "cap": "M-29-16C-27-50 25-52 29-16ZM-31-18Q0-30 31-18V-9Q0-21-31-9Z",
    "ribs": "M-18-20v9M-6-23v9M6-23v9M18-20v9",
    "pompon": [0, -47, 8]
  },
  "gaze": "M-13-8v6M13-8v6M-12 14Q0 22 12 14",
  "cards": {
    "shove-left": [["side", "M-6-28l-9 8 9 8"], ["wood", "M-28 20H28V26H-28Z"], ["line", "M-8 6h9M-8 0h8"], ["own", -16, 6, 0.27], ["left", 13, 6, 0.27]],
    "shove-right": [["side", "M6-28l9 8-9 8"], ["wood", "M-28 20H28V26H-28Z"], ["line", "M-8 6h9M-8 0h8"], ["own", -16, 6, 0.27], ["right", 13, 6, 0.27]],
    "shove-anyone": [["side", "M-9-28l-9 8 9 8M9-28l9 8-9 8"], ["wood", "M-28 20H28V26H-28Z"], ["line", "M-8 6h9M-8 0h8"], ["own", -16, 6, 0.27], ["anyone", 13, 6, 0.27], ["way", "M-6-20H7"]],
    "extend": [["hull", "M-30-4H-14V24H-30Z"], ["wood", "M-14 2H6V11H-14Z"], ["wood", "M6 2H26V11H6Z"], ["way", "M0-16h24M19-22l7 6-7 6"], ["wave", "M-10 24q5-5 10 0t10 0 10 0 10 0"]],
    "retract": [["hull", "M-30-4H-14V24H-30Z"], ["wood", "M-14 2H6V11H-14Z"], ["gap", "M6 2H26V11H6Z"], ["way", "M26-16H2M8-22l-7 6 7 6"], ["wave", "M-10 24q5-5 10 0t10 0 10 0 10 0"]],
    "drag": [["rope", "M-18-12Q-4-4 12-12"], ["anyone", -16, -12, 0.27], ["own", 13, -12, 0.27], ["way", "M-22 10H20M14 4l8 6-8 6"], ["wave", "M-28 25q7-6 14 0t14 0 14 0 14 0"]],
    "pull": [["rope", "M-12-12Q4-4 18-12"], ["own", -13, -12, 0.27], ["anyone", 16, -12, 0.27], ["way", "M22 10H-20M-14 4l-8 6 8 6"], ["hull", "M-28 20H28L22 29H-24Z"]],
    "run": [["line", "M-3-2l-11 8M3-2l9 4 1 8"], ["own", 0, -12, 0.32], ["way", "M-22 20H22M-16 14l-8 6 8 6M16 14l8 6-8 6"]],
    "i-dont-want-to-die": [["own", 11, -6, 0.36], ["drop", "M-10-26q-5 7 0 9t0-9M28-28q-5 7 0 9t0-9"], ["way", "M-16-12l-9 8 9 8M-6-12l-9 8 9 8"], ["hull", "M-28 20H-4L-8 29H-28Z"], ["wood", "M-4 20H28V25H-4Z"]],
    "charge": [["line", "M-29-12h12M-27-2h9M-29 8h12"], ["own", -4, -2, 0.34], ["burst", "M18-22l3 10 9-5-4 10 6 6-9 1 2 11-8-7-7 8 0-10-9-2 8-6-4-9 9 3Z"], ["wood", "M-28 20H28V26H-28Z"]]
  }
};
