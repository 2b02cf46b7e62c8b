/** Diagrams of learning players. */

import { arrow, board, box, circle, diagram, line, path, text } from "./kit.js";

export function network() {
  const inputs = [60, 96, 132, 168, 204];
  const hidden = [78, 116, 154, 192];
  return diagram(
    "A small network: features of the board, one hidden layer, one expected result",
    ...board(24, 88, 12, 8),
    ...[
      [2, 1],
      [5, 0],
      [1, 4],
      [4, 5],
      [6, 7],
    ].map(([column, row]) => circle(30 + column * 12, 94 + row * 12, 4.5, "stone-dark")),
    text(72, 206, "the board", "small"),
    ...inputs.flatMap((y) => [...arrow(126, 136, 178, y, "faint")]),
    ...inputs.flatMap((from) => hidden.map((to) => line(196, from, 292, to, (from + to) % 3 ? "faint" : "thin"))),
    ...hidden.map((y) => line(306, y, 388, 136, "thin")),
    path("M188 60C250 20 360 20 396 122", "faint"),
    ...inputs.map((y, index) => circle(188, y, 10, index === 1 ? "fill-accent" : "node")),
    ...hidden.map((y) => circle(299, y, 11, "node best")),
    circle(400, 136, 15, "fill-accent"),
    text(428, 141, "+0.31", "figure start"),
    text(188, 240, "features", "small"),
    text(299, 240, "20 hidden", "small"),
    text(404, 240, "result", "small"),
  );
}

export function temporalDifference() {
  const predictions = [0.1, 0.22, 0.16, 0.48, 0.75, 1];
  const at = (/** @type {number} */ index) => ({ x: 50 + index * 76, y: 200 - predictions[index] * 140 });
  return diagram(
    "Temporal differences: each prediction moves towards the next one, the last towards the result",
    line(28, 200, 452, 200, "faint"),
    line(28, 60, 452, 60, "faint"),
    text(30, 50, "won", "small start"),
    text(30, 218, "even", "small start"),
    ...predictions.slice(1).map((_, index) => line(at(index).x, at(index).y, at(index + 1).x, at(index + 1).y, "thin")),
    ...predictions.slice(0, -1).flatMap((_, index) => {
      const [here, next] = [at(index), at(index + 1)];
      const reach = (next.y - here.y) * 0.55;
      return Math.abs(reach) < 6
        ? []
        : arrow(here.x, here.y + Math.sign(reach) * 9, here.x, here.y + reach + Math.sign(reach) * 12, "accent");
    }),
    ...predictions.map((_, index) =>
      circle(at(index).x, at(index).y, index === 5 ? 11 : 8, index === 5 ? "fill-accent" : "node best"),
    ),
    text(430, 40, "the result", "small accent"),
    text(240, 252, "each moves towards the next", "small"),
  );
}

export function map() {
  const size = 38;
  const winner = 3;
  const cells = Array.from({ length: 25 }, (_, index) => {
    const [row, column] = [Math.floor(index / 5), index % 5];
    const distance = Math.abs(index - winner);
    const tone = distance === 0 ? "fill-accent" : distance <= 2 ? "soft accent" : "soft";
    return [
      box(236 + column * (size + 4), 34 + row * (size + 4), size, size, tone, 6),
      text(
        236 + column * (size + 4) + size / 2,
        34 + row * (size + 4) + size / 2 + 5,
        String(index + 1),
        distance === 0 ? "figure on-accent" : "tiny",
      ),
    ];
  }).flat();
  return diagram(
    "A self-organising map: a board belongs to the most similar unit; that unit and its neighbours move towards it",
    ...board(34, 66, 14, 8),
    ...[
      [1, 2],
      [4, 1],
      [6, 3],
    ].map(([column, row]) => circle(41 + column * 14, 73 + row * 14, 5.5, "stone-light")),
    ...[
      [2, 5],
      [5, 6],
      [0, 7],
      [7, 4],
    ].map(([column, row]) => circle(41 + column * 14, 73 + row * 14, 5.5, "stone-dark")),
    text(90, 204, "an ending,", "small"),
    text(90, 220, "28 numbers", "small"),
    ...cells,
    path("M150 92C190 20 330-8 379 24", "accent"),
    ...arrow(376, 20, 381, 33, "accent"),
    text(340, 258, "25 units: the nearest wins", "small"),
  );
}

export function specialists() {
  return diagram(
    "One network plays until twelve pieces are left; then a map selects one of 25 specialists",
    text(84, 40, "13 pieces or more", "small"),
    box(34, 62, 100, 120, "soft", 10),
    text(84, 118, "one", "figure"),
    text(84, 138, "network", "figure"),
    ...arrow(140, 122, 200, 122, "accent"),
    text(170, 108, "12 left", "small accent"),
    circle(236, 122, 30, "node best"),
    text(236, 127, "map", "figure"),
    ...[0, 1, 2, 3, 4].flatMap((index) => {
      const y = 42 + index * 40;
      const chosen = index === 3;
      return [
        ...arrow(266, 122, 336, y, chosen ? "accent" : "faint"),
        box(342, y - 14, 104, 28, chosen ? "fill-accent" : "soft", 14),
        text(394, y + 5, ["1", "2", "…", "17", "25"][index], chosen ? "figure on-accent" : "figure"),
      ];
    }),
    text(394, 240, "specialists for endgames", "small"),
  );
}

export function evolution() {
  const heights = [28, 46, 20, 60, 38, 52];
  const bars = (
    /** @type {number} */ x,
    /** @type {number[]} */ values,
    /** @type {(index: number) => string} */ tone,
  ) => values.map((value, index) => box(x + index * 20, 120 - value, 14, value, tone(index), 3));
  const survivors = [1, 3, 5];
  return diagram(
    "Evolution: networks play each other, the better half survives, and each survivor gets a copy with small random changes",
    text(87, 40, "play each other", "small"),
    ...bars(30, heights, (index) => (survivors.includes(index) ? "fill-accent" : "fill-soft")),
    line(24, 120, 154, 120),
    ...arrow(164, 92, 204, 92),
    text(262, 40, "the better half", "small"),
    ...bars(232, [46, 60, 52], () => "fill-accent"),
    line(224, 120, 298, 120),
    ...arrow(308, 92, 348, 92),
    text(402, 40, "plus a mutated copy each", "small"),
    ...bars(352, [46, 60, 52], () => "fill-accent"),
    ...bars(412, [40, 66, 55], () => "ghost"),
    line(346, 120, 474, 120),
    path("M412 132C412 206 88 214 88 138", "accent"),
    ...arrow(88, 142, 88, 130, "accent"),
    text(250, 170, "the next generation", "small accent"),
    path("M120 240q20 0 30-18t22-18 22 18 30 18", "thin"),
    text(244, 238, "every weight changes a little", "small start"),
  );
}

export function genetic() {
  const mother = "110100101100";
  const father = "011010010111";
  const flipped = 8;
  const crossed = mother.slice(0, 6) + father.slice(6);
  const child = [...crossed].map((bit, index) => (index === flipped ? String(1 - Number(bit)) : bit)).join("");
  const row = (/** @type {number} */ y, /** @type {string} */ bits, /** @type {(index: number) => string} */ tone) =>
    [...bits].flatMap((bit, index) => [
      box(96 + index * 30, y, 26, 26, tone(index), 5),
      text(109 + index * 30, y + 18, bit, "figure"),
    ]);
  return diagram(
    "A genetic algorithm: two sets of features are crossed over, sometimes a bit mutates",
    text(84, 54, "one set", "small end"),
    ...row(36, mother, (index) => (index < 6 ? "soft accent" : "soft")),
    text(84, 110, "another", "small end"),
    ...row(92, father, (index) => (index >= 6 ? "soft info" : "soft")),
    line(274, 26, 274, 128, "dashed"),
    ...arrow(180, 130, 180, 166, "accent"),
    ...arrow(364, 130, 364, 166),
    text(84, 192, "child", "small end"),
    ...row(174, child, (index) => (index === flipped ? "fill-accent" : index < 6 ? "soft accent" : "soft info")),
    text(349, 222, "flipped", "small accent"),
    text(276, 254, "1: the network sees this feature · 0: it does not", "small"),
  );
}

export function spatial() {
  const squares = [
    [0, 0, 3],
    [4, 1, 4],
    [2, 2, 6],
  ];
  return diagram(
    "A network with every square section of the board as input, from three by three to the whole",
    ...board(40, 51, 21, 8),
    ...squares.map(([column, row, count], index) =>
      box(
        40 + column * 21,
        51 + row * 21,
        count * 21,
        count * 21,
        ["outline-accent", "outline-info", "outline-good"][index],
        3,
      ),
    ),
    ...["3×3 · 36", "4×4 · 25", "6×6 · 9", "8×8 · 1"].flatMap((name, index) => {
      const y = 66 + index * 46;
      return [
        ...arrow(216, 135, 262, y, "faint"),
        circle(276, y, 10, ["fill-accent", "fill-info", "fill-good", "fill-ink"][index]),
        text(296, y + 5, name, "small start"),
        line(366, y, 440, 135, "thin"),
      ];
    }),
    circle(446, 135, 12, "node best"),
    text(240, 254, "91 sections of the board, evolved weights", "small"),
  );
}

export function climbing() {
  const hill = (/** @type {number} */ x) =>
    190 - 70 * Math.exp(-(((x - 140) / 60) ** 2)) - 120 * Math.exp(-(((x - 340) / 70) ** 2));
  const points = Array.from({ length: 87 }, (_, index) => 25 + index * 5);
  const steps = [228, 252, 276, 300, 322, 340];
  return diagram(
    "Hill climbing: change a few weights, play, keep what wins",
    path(`M${points.map((x) => `${x} ${hill(x).toFixed(1)}`).join("L")}`),
    line(25, 214, 455, 214, "faint"),
    ...steps
      .slice(1)
      .flatMap((x, index) => arrow(steps[index], hill(steps[index]) - 12, x - 2, hill(x) - 12, "accent")),
    ...steps.map((x, index) =>
      circle(x, hill(x), index === steps.length - 1 ? 8 : 5, index === steps.length - 1 ? "fill-accent" : "node"),
    ),
    text(340, 52, "no change wins any more", "small accent"),
    text(140, 104, "a lower hill", "small"),
    text(240, 246, "all the weights of an evaluation", "small"),
  );
}

export function gradient() {
  const curve = (/** @type {number} */ x) => 210 - 160 / (1 + Math.exp(-(x - 240) / 48));
  const points = Array.from({ length: 81 }, (_, index) => 40 + index * 5);
  const seen = [
    [80, 200],
    [130, 178],
    [170, 192],
    [210, 140],
    [250, 150],
    [290, 96],
    [330, 82],
    [380, 54],
    [420, 66],
  ];
  return diagram(
    "Tuning: weights move until the evaluation predicts the results of games",
    line(40, 216, 450, 216),
    line(40, 216, 40, 36),
    text(245, 240, "evaluation", "small"),
    text(50, 44, "result", "small start"),
    path(`M${points.map((x) => `${x} ${curve(x).toFixed(1)}`).join("L")}`, "accent thick"),
    ...seen.flatMap(([x, y]) => [line(x, y, x, curve(x), "dashed"), circle(x, y, 5, "fill-ink")]),
    text(240, 262, "every gap is an error; gradient descent minimises the sum", "small"),
  );
}
