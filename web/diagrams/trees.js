/** Diagrams of game-tree searches. */

import { arrow, box, circle, diagram, line, path, text, tree } from "./kit.js";

/** @typedef {import("./kit.js").Branch} Branch */

/**
 * @param {string} label
 * @param {Partial<Branch>} [more]
 * @returns {Branch}
 */
const leaf = (label, more = {}) => ({ label, shape: "leaf", ...more });
/**
 * @param {string} label
 * @param {Branch[]} below
 * @param {Partial<Branch>} [more]
 * @returns {Branch}
 */
const min = (label, below, more = {}) => ({ label, shape: "min", below, ...more });
/**
 * @param {string} label
 * @param {Branch[]} below
 * @param {Partial<Branch>} [more]
 * @returns {Branch}
 */
const max = (label, below, more = {}) => ({ label, shape: "max", below, ...more });

export function minimax() {
  return diagram(
    "A game tree: the minimum of each pair of leaves is backed up; the root takes the maximum, six",
    ...tree(
      max(
        "6",
        [
          min("3", [leaf("3"), leaf("5")]),
          min("6", [leaf("6", { tone: "best" }), leaf("9")], { tone: "best" }),
          min("1", [leaf("1"), leaf("2")]),
        ],
        { tone: "best", note: "takes the maximum" },
      ),
      { top: 48 },
    ),
    text(16, 96, "takes the minimum", "small start"),
    text(240, 258, "Every leaf is evaluated: 6 of 6", "small"),
  );
}

export function negamax() {
  return diagram(
    "Negamax: the value of a position is the maximum of the negated values of its moves",
    ...tree(
      max(
        "6",
        [
          max("−3", [leaf("3"), leaf("5")]),
          max("−6", [leaf("6", { tone: "best" }), leaf("9")], { tone: "best" }),
          max("−1", [leaf("1"), leaf("2")]),
        ],
        { tone: "best" },
      ),
      { top: 48 },
    ),
    text(285, 40, "max(3, 6, 1)", "small start"),
    text(64, 88, "× −1", "small accent"),
    text(248, 100, "× −1", "small accent start"),
    text(240, 258, "Everybody takes the maximum; the sign turns on the way up", "small"),
  );
}

export function alphabeta() {
  return diagram(
    "Alpha-beta: after the leaf one in the third branch the rest of it cannot matter and is cut",
    ...tree(
      max(
        "6",
        [
          min("3", [leaf("3"), leaf("5")]),
          min("6", [leaf("6", { tone: "best" }), leaf("9")], { tone: "best" }),
          min("≤1", [leaf("1"), leaf("?", { tone: "cut" })]),
        ],
        { tone: "best", note: "α = 6" },
      ),
      { top: 48 },
    ),
    path("M391 180l26-11", "accent thick"),
    path("M394 187l26-11", "accent thick"),
    text(428, 176, "cut", "small accent start"),
    text(240, 258, "1 is below 6 already: the last leaf cannot change the choice", "small"),
  );
}

export function scout() {
  return diagram(
    "The first move is searched with the full window, the others with a null window",
    ...tree(
      max("", [
        min("", [leaf(""), leaf("")], { tone: "best" }),
        min("", [leaf(""), leaf("")]),
        min("", [leaf(""), leaf("")], { tone: "best" }),
        min("", [leaf(""), leaf("")]),
      ]),
      { top: 36, step: 62, left: 40, right: 440 },
    ),
    text(90, 200, "(−∞, ∞)", "small figure"),
    text(190, 200, "better?", "small"),
    text(290, 200, "better?", "small"),
    text(390, 200, "better?", "small"),
    text(190, 216, "no", "small"),
    text(290, 216, "yes", "small accent"),
    text(390, 216, "no", "small"),
    text(290, 233, "search again", "small accent"),
    text(240, 260, "Few null-window searches have to be repeated", "small"),
  );
}

export function aspiration() {
  const y = 150;
  return diagram(
    "Aspiration window: a narrow window around the last value, widened if the value is outside",
    line(30, y, 450, y),
    ...[90, 160, 230, 300, 370].map((x) => line(x, y - 4, x, y + 4)),
    box(178, y - 76, 104, 26, "soft", 13),
    text(230, y - 58, "depth 5: ±25", "small"),
    circle(256, y, 6, "fill-ink"),
    path(`M256 ${y - 8}V${y - 50}`, "dashed"),
    box(204, y + 34, 104, 26, "soft", 13),
    text(256, y + 52, "depth 6: ±25", "small"),
    ...arrow(312, y + 47, 356, y + 47, "accent"),
    text(344, y + 36, "too high", "small accent"),
    box(204, y + 74, 216, 26, "soft accent", 13),
    text(312, y + 92, "depth 6 again, wider", "small accent"),
    circle(392, y, 6, "fill-accent"),
    path(`M392 ${y + 8}V${y + 74}`, "dashed accent"),
    text(240, 40, "Most values lie near the last one", "small"),
  );
}

/**
 * Null windows that converge to the value.
 * @param {"middle" | "above" | "below"} from
 */
function drivers(from) {
  const steps = {
    middle: [
      [236, "guess"],
      [308, "≥"],
      [372, "≤"],
      [340, "="],
    ],
    above: [
      [440, "+∞"],
      [404, "≤"],
      [368, "≤"],
      [340, "="],
    ],
    below: [
      [60, "−∞"],
      [188, "≥"],
      [276, "≥"],
      [340, "="],
    ],
  }[from];
  const words = {
    middle: "From a guess to the value",
    above: "From above, down to the value",
    below: "From below, up to the value",
  }[from];
  const rows = steps.flatMap(([x, sign], index) => {
    const y = 74 + index * 44;
    const last = index === steps.length - 1;
    /** @type {SVGElement[]} */
    const parts = [
      line(40, y, 450, y, "faint"),
      box(Number(x) - 5, y - 13, 10, 26, last ? "fill-accent" : "fill-ink", 3),
      text(28, y + 4, String(index + 1), "small"),
      text(
        Number(x) + (Number(x) > 400 ? -14 : 14),
        y - 7,
        String(sign),
        `small ${Number(x) > 400 ? "end" : "start"}${last ? " accent" : ""}`,
      ),
    ];
    if (!last) parts.push(...arrow(Number(x), y + 14, Number(steps[index + 1][0]), y + 30, "accent"));
    return parts;
  });
  return diagram(
    `Null windows only. ${words}; the transposition table keeps the tree between passes`,
    text(240, 34, words, "small"),
    line(340, 50, 340, 232, "dashed accent"),
    ...rows,
    text(340, 252, "the minimax value", "small accent"),
  );
}

export const mtdf = () => drivers("middle");
export const sss = () => drivers("above");
export const dual = () => drivers("below");

export function deepening() {
  const layers = [0, 1, 2, 3].flatMap((index) => {
    const [half, base] = [31 + index * 31, 78 + index * 44];
    const tone = index === 3 ? "best" : "";
    return [
      path(`M150 34L${150 - half} ${base}H${150 + half}Z`, tone),
      text(150, base - 10, String(index + 1), `figure ${index === 3 ? "accent" : ""}`),
    ];
  });
  const entries = ["key", "best move", "value", "bound", "depth"].flatMap((name, index) => [
    box(330, 62 + index * 30, 116, 26, index === 1 ? "soft accent" : "soft", 4),
    text(388, 80 + index * 30, name, `small ${index === 1 ? "accent" : ""}`),
  ]);
  return diagram(
    "Iterative deepening: the transposition table keeps positions, and their best moves are tried first",
    ...layers,
    text(150, 238, "plies, one more each time", "small"),
    ...entries,
    text(388, 50, "the table", "small"),
    ...arrow(236, 118, 322, 100),
    ...arrow(322, 148, 276, 170, "accent"),
    text(388, 238, "tried first next time", "small accent"),
  );
}

export function transposition() {
  const spot = (/** @type {number} */ x, /** @type {number} */ y, tone = "") => circle(x, y, 13, `node ${tone}`);
  return diagram(
    "Two orders of the same moves reach one position, which is searched once and then found in the table",
    ...arrow(88, 134, 148, 76),
    ...arrow(88, 138, 148, 196),
    ...arrow(176, 72, 236, 128),
    ...arrow(176, 200, 236, 144, "accent"),
    spot(78, 136),
    spot(162, 66),
    spot(162, 206),
    spot(248, 136, "best"),
    text(108, 92, "a", "figure"),
    text(216, 84, "b", "figure"),
    text(108, 192, "b", "figure"),
    text(216, 198, "a", "figure accent"),
    ...arrow(264, 136, 330, 136, "accent"),
    box(338, 92, 110, 88, "soft", 8),
    text(393, 116, "deepest", "small"),
    line(338, 136, 448, 136, "faint"),
    text(393, 162, "newest", "small"),
    text(393, 84, "table of two levels", "small"),
    text(240, 254, "The second path is a table hit", "small"),
  );
}

export function proof() {
  return diagram(
    "A proof: one winning move is enough for us, every reply of the other side must lose",
    ...tree(
      max(
        "won",
        [
          min("", [leaf("0"), leaf("?", { tone: "cut" })], { tone: "cut" }),
          min(
            "won",
            [
              max("won", [leaf("1", { tone: "best" })], { tone: "best" }),
              max("won", [leaf("1", { tone: "best" }), leaf("?", { tone: "cut" })], { tone: "best" }),
            ],
            { tone: "best" },
          ),
        ],
        { tone: "best" },
      ),
      { top: 34, step: 62, left: 60, right: 420 },
    ),
    text(390, 40, "one is enough", "small accent"),
    text(420, 104, "all of them", "small accent"),
  );
}

export function greedy() {
  const values = [0.2, 0.45, 0.9, 0.35, 0.6];
  return diagram(
    "Greedy: one move ahead, the position that looks best",
    circle(90, 135, 22, "node"),
    text(90, 140, "now", "small"),
    ...values.flatMap((value, index) => {
      const y = 42 + index * 46;
      const tone = index === 2 ? "best" : "";
      return [
        ...arrow(112, 135, 206, y, index === 2 ? "accent" : ""),
        circle(222, y, 13, `node ${tone}`),
        box(250, y - 9, 170 * value, 18, index === 2 ? "fill-accent" : "fill-soft", 4),
      ];
    }),
    text(410, 258, "static evaluation", "small end"),
  );
}

export function random() {
  return diagram(
    "Every legal move with the same probability",
    circle(90, 135, 22, "node"),
    text(90, 140, "now", "small"),
    ...[0, 1, 2, 3, 4, 5].flatMap((index) => {
      const y = 30 + index * 42;
      return [...arrow(112, 135, 226, y), circle(242, y, 12, "node"), text(272, y + 5, "1/6", "figure start")];
    }),
    box(350, 92, 86, 86, "paper", 14),
    ...[
      [372, 114],
      [414, 114],
      [393, 135],
      [372, 156],
      [414, 156],
    ].map(([x, y]) => circle(x, y, 7, "fill-accent")),
  );
}
