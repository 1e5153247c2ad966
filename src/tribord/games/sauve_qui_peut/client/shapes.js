/**
 * Ship, islands, boats and people, for the page and for the picture. What follows the equals sign is JSON: `picture.py`
 * reads it too. Lengths in braces: the ship ends at x and reaches h down from t, far is where it begins; an island lies
 * between x and r, h down from t. A circle is x, y and its radius. A boat is drawn around the middle of its waterline.
 */
export const SHAPES = {
  "ship": {
    "hull": "M{far} {t}H{x-8}Q{x+14} {t+.5h} {x-12} {t+h+40}V{t+h+400}H{far}Z",
    "seam": "M{x} {t}Q{x+9} {t+.5h} {x-4} {t+h+20}",
    "davit": "M{x-12} {y}h{w}q8 0 8 10v8",
    "wash": "M{x+2} {y}q10-9 20 0t20 0"
  },
  "island": {
    "shore": "M{r-50} {t}H{x+46}Q{x+12} {t+4} {x+8} {t+.2h}Q{x-8} {t+.36h} {x+6} {t+.5h}Q{x+16} {t+.66h} {x+2} {t+.8h}Q{x+8} {t+h-2} {x+48} {t+h}H{r-44}Q{r-6} {t+h-4} {r-8} {t+.74h}Q{r+8} {t+.5h} {r-10} {t+.3h}Q{r-8} {t+2} {r-50} {t}Z",
    "rocks": ["M0 0l14-30l18 8l12-18l22 40z", "M0 0l10-20l16 4l12 16z", "M0 0l18-44l22 12l18-30l34 62z", "M0 0l12-22l14 6l14 16z"],
    "trunk": "M-5 0Q2-32-4-58L4-60Q12-30 7 0Z",
    "leaf": "M0-58Q-22-78-44-58Q-22-62 0-58ZM0-58Q-14-90-36-88Q-12-78 0-58ZM0-58Q6-92 30-88Q8-78 0-58ZM0-58Q24-76 44-54Q22-60 0-58ZM0-58Q16-56 24-36Q8-48 0-58ZM0-58Q-14-56-22-38Q-8-50 0-58Z",
    "nuts": [[-4, -54, 5], [7, -53, 5]]
  },
  "boat": {
    "stern": -150,
    "bow": 160,
    "seat": 43,
    "hold": "M-140-30Q0-42 140-36L120-4H-118Z",
    "hull": "M-148-28Q-150-22-148-16Q-144 14-112 16H106Q140 12 160-44Q142-28 126-25H-148Z",
    "seam": "M-143-9H128",
    "disc": [-119, -5, 17],
    "foam": "M-152 17q10-7 20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0t20 0"
  },
  "leak": {
    "jet": "M-4-4Q-6-28-17-28M0-4V-36M4-4Q6-28 17-28",
    "drops": [[-17, -20, 3], [17, -20, 3]],
    "hole": [0, 0, 15],
    "glint": "M-7 1a7 6 0 1 1 7 6"
  },
  "people": {
    "faces": { "sailor": [2, 5, 1, 6, 4], "helmsman": [3, 4] },
    "spokes": "M30 0L76 0M21.21 21.21L53.74 53.74M0 30L0 76M-21.21 21.21L-53.74 53.74M-30 0L-76 0M-21.21-21.21L-53.74-53.74M0-30L0-76M21.21-21.21L53.74-53.74",
    "rim": 57,
    "felt": "M-42-22Q-30-30-25-32Q-24-60 0-60Q24-60 25-32Q30-30 42-22Q0-34-42-22Z",
    "cord": "M-25-34Q0-42 25-34",
    "cloth": "M-25-26Q-32-46-12-50H12Q32-46 25-26Q0-34-25-26Z",
    "band": "M-25-27Q0-36 25-27",
    "pompon": [0, -52, 8]
  },
  "cap": {
    "crown": "M-38 4Q-46-24-24-30Q0-42 24-30Q46-24 38 4Z",
    "peak": "M-38 4Q0-8 38 4Q40 14 30 20Q0 4-30 20Q-40 14-38 4Z",
    "anchor": "M0-26v18M-8-20h16M-10-12q0 8 10 8t10-8"
  },
  "baton": {
    "stick": [-5, -30, 10, 60, 4],
    "knobs": [[0, -32, 9], [0, 30, 6]],
    "ribbon": "M-5-10L5-16M-5 2L5-4M-5 14L5 8"
  }
};
