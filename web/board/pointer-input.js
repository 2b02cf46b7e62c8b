/** Pointer input of a board: presses on cells, and pieces dragged from cell to cell. */

/**
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {object} Board state that input depends on, and what it causes
 * @property {() => boolean} isEnabled
 * @property {() => Geometry | null} geometry
 * @property {(cell: number) => boolean} canLift whether a piece can be dragged from here
 * @property {() => number[]} path cells of the move chosen so far
 * @property {(cell: number) => boolean} isTarget whether the move chosen so far can go on here
 * @property {(cell: number) => void} press
 * @property {(cell: number, point: Point) => void} drag
 * @property {(cell: number, back: boolean) => void} drop
 * @property {(cell: number | null) => void} hover
 */

/**
 * @typedef {object} Press a pointer that is down
 * @property {number} id
 * @property {number | null} lifted the cell of a piece that can be dragged
 * @property {number} x
 * @property {number} y
 * @property {boolean} isNew false if the piece was selected before
 * @property {boolean} isDrag
 */

/** Distance a pointer may move before a press becomes a drag. */
const DRAG_THRESHOLD_PX = 5;

export class PointerInput {
  /** @type {Press | null} */
  #press = null;
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
    element.addEventListener("pointercancel", () => this.#cancel());
    element.addEventListener("pointerleave", () => board.hover(null));
  }

  /** @param {PointerEvent} event */
  #down(event) {
    const cell = this.#cell(event);
    if (!this.#board.isEnabled() || event.button !== 0 || cell === null) return;
    const path = this.#board.path();
    const isNew = path.length !== 1 || path[0] !== cell;
    // A target is one even if a piece could be lifted there as well.
    const isTarget = path.length > 0 && path[0] !== cell && this.#board.isTarget(cell);
    const lifted = this.#board.canLift(cell) && !isTarget ? cell : null;
    this.#press = { id: event.pointerId, lifted, x: event.clientX, y: event.clientY, isNew, isDrag: false };
    if (lifted === null) return;
    event.preventDefault();
    if (isNew) this.#board.press(cell);
    this.#svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) {
      if (event.pointerType === "mouse") this.#board.hover(this.#cell(event));
      return;
    }
    if (press.lifted === null) return;
    press.isDrag ||= Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG_THRESHOLD_PX;
    if (press.isDrag) this.#board.drag(press.lifted, this.#point(event));
  }

  /** @param {PointerEvent} event */
  #up(event) {
    const press = this.#press;
    if (!press || press.id !== event.pointerId) return;
    this.#press = null;
    const cell = this.#cell(event);
    if (press.lifted === null) {
      if (cell !== null) this.#board.press(cell);
    } else if (press.isDrag && cell !== null && cell !== press.lifted) {
      this.#board.drop(press.lifted, false);
      this.#board.press(cell);
      this.#board.drop(press.lifted, true);
    } else if (press.isDrag) {
      this.#board.drop(press.lifted, true);
    } else if (!press.isNew) {
      this.#board.press(press.lifted);
    }
  }

  #cancel() {
    const lifted = this.#press?.lifted ?? null;
    if (lifted !== null) this.#board.drop(lifted, true);
    this.#press = null;
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
