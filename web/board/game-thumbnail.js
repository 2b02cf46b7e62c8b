/** Thumbnail boards of the gallery. They are drawings, not positions to play from. */

import { post } from "../lib/api.js";
import { el } from "../lib/dom.js";
import "./board.js";

/** @typedef {Record<string, Omit<Ludus.PieceView, "side">>} Figures */

/** @type {Figures} */
const CHESS_PIECES = Object.fromEntries(
  Object.entries(
    /** @type {Record<string, Ludus.PieceName>} */ ({
      p: "pawn",
      n: "knight",
      b: "bishop",
      r: "rook",
      q: "queen",
      k: "king",
    }),
  ).flatMap(([letter, kind]) => [
    [letter, { light: false, kind }],
    [letter.toUpperCase(), { light: true, kind }],
  ]),
);

/** @type {Figures} */
const DISCS = { x: { light: false, kind: "disc" }, o: { light: true, kind: "disc" } };

/** @type {Record<string, {grid: Ludus.GridKind, rows: string, figures: Figures}>} */
const DRAWINGS = {
  chess: {
    grid: "checkered",
    figures: CHESS_PIECES,
    rows: "r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1",
  },
  draughts: {
    grid: "checkered",
    rows: "1b1b1b1b/b1b1b1b1/1b1b1b2/2b5/5w2/w1w5/1w1w1w1w/w1w1w1w1",
    figures: { b: { light: false, kind: "man" }, w: { light: true, kind: "man" } },
  },
  go: { grid: "intersections", rows: "9/2x3o2/6x2/3o1ox2/4ox3/2x1o4/3xox3/2o3x2/9", figures: DISCS },
  reversi: { grid: "squares", rows: "8/8/2xo4/2xxoo2/2oxx3/3oxo2/4x3/8", figures: DISCS },
  connect4: {
    grid: "holes",
    rows: "7/7/3x3/3ox2/2xoo2/1xoxxo1",
    figures: { x: { light: true, kind: "disc" }, o: { light: false, kind: "disc" } },
  },
  tictactoe: {
    grid: "squares",
    rows: "x1o/1x1/o1x",
    figures: { x: { light: true, kind: "cross" }, o: { light: false, kind: "nought" } },
  },
  "split-nim": {
    grid: "squares",
    rows: "ab/cd",
    figures: {
      a: { light: true, kind: "coins", count: 7 },
      b: { light: true, kind: "coins", count: 4 },
      c: { light: true, kind: "coins", count: 3 },
      d: { light: true, kind: "coins", count: 1 },
    },
  },
};

/**
 * A small board with a picture of a game. Games without a drawing show their start position.
 * @param {string} game
 */
export async function gameThumbnail(game) {
  return el("ludus-board", {
    class: "game-thumbnail",
    "aria-hidden": "true",
    ".thumbnail": true,
    ".view": await viewFor(game),
  });
}

/**
 * @param {string} game
 * @returns {Promise<Ludus.BoardDiagram>}
 */
async function viewFor(game) {
  const drawing = DRAWINGS[game];
  if (drawing) return viewOf(drawing);
  /** @type {Ludus.PositionView} */
  const answer = await post("/positions", { game });
  return answer.view;
}

/**
 * @param {{grid: Ludus.GridKind, rows: string, figures: Figures}} drawing
 * @returns {Ludus.BoardDiagram}
 */
function viewOf({ grid, rows, figures }) {
  const lines = rows.split("/").map((row) => row.replace(/\d/g, (digits) => " ".repeat(Number(digits))));
  const cells = lines
    .join("")
    .split("")
    .map((letter) => {
      const figure = figures[letter];
      return {
        name: "",
        star: false,
        piece: figure ? { side: /** @type {Ludus.SideName} */ ("first"), ...figure } : null,
      };
    });
  const size = { rows: lines.length, columns: lines[0].length };
  return { grid, dark_first: false, ...size, cells, column_labels: [], row_labels: [], notes: [] };
}
