/** Geometry of a board, in units of a hundredth of a cell. */

export const CELL = 100;

/** @typedef {{x: number, y: number}} Point */

/**
 * Margins around the cells, for the frame and for labels on the left and below (in Go on all sides).
 * @param {Ludus.BoardDiagram} view
 * @param {boolean} bare without labels, for small pictures
 * @returns {{plain: number, labelled: number}}
 */
function margins(view, bare) {
  const labels = !bare && view.column_labels.length > 0;
  if (isPiles(view)) return { plain: 0, labelled: 0 };
  switch (view.grid) {
    case "intersections":
      return labels ? { plain: 46, labelled: 46 } : { plain: 8, labelled: 8 };
    case "holes":
      return { plain: 22, labelled: labels ? 44 : 22 };
    default:
      return isPlain(view) ? { plain: 6, labelled: 6 } : { plain: 20, labelled: labels ? 42 : 20 };
  }
}

/**
 * Whether the view shows piles of coins, which have no squares.
 * @param {Ludus.BoardDiagram} view
 */
export function isPiles(view) {
  return view.cells.some((cell) => cell.piece?.kind === "coins");
}

/**
 * Whether the view is a plain grid of squares, as for noughts and crosses.
 * @param {Ludus.BoardDiagram} view
 */
export function isPlain(view) {
  return view.grid === "squares" && !view.cells.some((cell) => cell.piece?.kind === "disc");
}

export class Geometry {
  /**
   * @param {Ludus.BoardDiagram} view
   * @param {{flipped: boolean, bare: boolean}} how
   */
  constructor(view, how) {
    this.columns = view.columns;
    this.rows = view.rows;
    const { plain, labelled } = margins(view, how.bare);
    this.top = plain;
    this.right = plain;
    this.bottom = labelled;
    this.left = view.grid === "holes" ? plain : labelled;
    // Boards with gravity and piles are never flipped.
    this.flipped = how.flipped && view.grid !== "holes" && !isPiles(view);
    this.width = this.left + view.columns * CELL + this.right;
    this.height = this.top + view.rows * CELL + this.bottom;
  }

  /**
   * Row and column on the screen, from the top left. The function is its own inverse.
   * @param {number} row
   * @param {number} column
   */
  turn(row, column) {
    return this.flipped ? { row: this.rows - 1 - row, column: this.columns - 1 - column } : { row, column };
  }

  /**
   * The centre of a cell.
   * @param {number} index
   * @returns {Point}
   */
  centre(index) {
    const { row, column } = this.turn(Math.floor(index / this.columns), index % this.columns);
    return { x: this.left + (column + 0.5) * CELL, y: this.top + (row + 0.5) * CELL };
  }

  /**
   * The cell at a point, if any.
   * @param {Point} point
   * @returns {number | null}
   */
  cellAt({ x, y }) {
    const column = Math.floor((x - this.left) / CELL);
    const row = Math.floor((y - this.top) / CELL);
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return null;
    const turned = this.turn(row, column);
    return turned.row * this.columns + turned.column;
  }
}

/**
 * The cells strictly between two cells on one line; none if they are not on one line.
 * @param {number} from
 * @param {number} to
 * @param {number} columns
 */
export function between(from, to, columns) {
  const [down, right] = [Math.floor(to / columns) - Math.floor(from / columns), (to % columns) - (from % columns)];
  if (down !== 0 && right !== 0 && Math.abs(down) !== Math.abs(right)) return [];
  const step = Math.sign(down) * columns + Math.sign(right);
  const length = Math.max(Math.abs(down), Math.abs(right));
  return Array.from({ length: Math.max(0, length - 1) }, (_, index) => from + (index + 1) * step);
}

/**
 * The cell an arrow key leads to. Unusable cells (the light squares of draughts) are skipped.
 * @param {Geometry} geometry
 * @param {number} from
 * @param {string} key
 * @param {(index: number) => boolean} usable
 * @returns {number}
 */
export function neighbour(geometry, from, key, usable) {
  const place = geometry.turn(Math.floor(from / geometry.columns), from % geometry.columns);
  const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] ?? [0, 0];
  const row = place.row + down;
  // On a checkered board straight up is a zigzag: right from even rows, left from odd rows.
  const drift = place.row % 2 === 0 ? 1 : -1;
  const tries = down ? [0, drift, -drift] : [right, 2 * right];
  for (const step of tries) {
    const column = place.column + step;
    if (row < 0 || row >= geometry.rows || column < 0 || column >= geometry.columns) continue;
    const turned = geometry.turn(row, column);
    const index = turned.row * geometry.columns + turned.column;
    if (usable(index)) return index;
  }
  return from;
}
