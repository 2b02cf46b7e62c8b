/** Pointers on a board: a press, or a piece dragged from cell to cell. */

/**
 * @typedef {import("./board-geometry.js").Geometry} Geometry
 * @typedef {import("./board-geometry.js").Point} Point
 * @typedef {object} Board
 * @property {() => boolean} ready
 * @property {() => Geometry | null} geometry
 * @property {(cell: number) => boolean} canLift
 * @property {() => number[]} lifted the way of the piece taken up so far
 * @property {(cell: number) => void} press
 * @property {(cell: number, point: Point) => void} hold
 * @property {(cell: number, back: boolean) => void} release
 * @property {(cell: number | null) => void} hover
 */

/** Pixels a pointer may tremble before a press is a drag. */
const TREMBLE = 5;

export class Hands {
  /** @type {{id: number, cell: number, x: number, y: number, fresh: boolean, dragging: boolean} | null} */
  #grip = null;
  #svg;
  #board;

  /**
   * @param {SVGSVGElement} element
   * @param {Board} board
   */
  constructor(element, board) {
    this.#svg = element;
    this.#board = board;
    element.addEventListener("pointerdown", (event) => this.#down(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", (event) => this.#up(event));
    element.addEventListener("pointercancel", () => this.#drop());
    element.addEventListener("pointerleave", () => board.hover(null));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#cell(event);
    if (!this.#board.ready() || event.button !== 0 || cell === null) return;
    const path = this.#board.lifted();
    const fresh = path.length !== 1 || path[0] !== cell;
    if (!this.#board.canLift(cell) || (path.length > 0 && path[0] !== cell && this.#isTarget(cell))) {
      this.#grip = { id: event.pointerId, cell: -1, x: event.clientX, y: event.clientY, fresh, dragging: false };
      return;
    }
    event.preventDefault();
    if (fresh) this.#board.press(cell);
    this.#svg.setPointerCapture(event.pointerId);
    this.#grip = { id: event.pointerId, cell, x: event.clientX, y: event.clientY, fresh, dragging: false };
  }

  /**
   * A cell that shows a target is one, even if a piece could be taken up there as well.
   * @param {number} cell
   */
  #isTarget(cell) {
    const [x, y] = [this.#board.geometry()?.centre(cell).x, this.#board.geometry()?.centre(cell).y];
    return this.#svg.querySelector(`.layer-targets [cx="${x}"][cy="${y}"]`) !== null;
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const grip = this.#grip;
    if (!grip || grip.id !== event.pointerId) {
      if (event.pointerType === "mouse") this.#board.hover(this.#cell(event));
      return;
    }
    if (grip.cell < 0) return;
    grip.dragging ||= Math.hypot(event.clientX - grip.x, event.clientY - grip.y) > TREMBLE;
    if (grip.dragging) this.#board.hold(grip.cell, this.#point(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const grip = this.#grip;
    if (!grip || grip.id !== event.pointerId) return;
    this.#grip = null;
    const cell = this.#cell(event);
    if (grip.cell < 0) {
      if (cell !== null) this.#board.press(cell);
    } else if (grip.dragging && cell !== null && cell !== grip.cell) {
      this.#board.release(grip.cell, false);
      this.#board.press(cell);
      this.#board.release(grip.cell, true);
    } else if (grip.dragging) {
      this.#board.release(grip.cell, true);
    } else if (!grip.fresh) {
      this.#board.press(grip.cell);
    }
  }

  #drop() {
    if (this.#grip && this.#grip.cell >= 0) this.#board.release(this.#grip.cell, true);
    this.#grip = null;
  }

  /** @param {PointerEvent} event */
  #cell(event) {
    return this.#board.geometry()?.cellAt(this.#point(event)) ?? null;
  }

  /**
   * @param {PointerEvent} event
   * @returns {Point}
   */
  #point(event) {
    const matrix = this.#svg.getScreenCTM();
    if (!matrix) return { x: -1, y: -1 };
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return { x, y };
  }
}
