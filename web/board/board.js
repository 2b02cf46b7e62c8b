/**
 * <ludus-board>: one board for every game, drawn from the server's view of it.
 *
 * Set `view`, `last`, `legal`, `turn`, `arrows`, `marks`, `numbers`, `heat`, `flipped`, `interactive` as properties; all
 * changes of one turn of the event loop are drawn together, in place. Fires `move` with the legal move chosen, and
 * `refused` with the cell of a click that starts no move.
 */

import { append, el, replace, svg } from "../lib/dom.js";
import { between, CELL, Geometry, isPiles, neighbour } from "./geometry.js";
import { foreground, ground } from "./ground.js";
import { drawHighlights, drawLastMarker, drawTargets } from "./highlights.js";
import { openChooser } from "./move-chooser.js";
import { drawArrows, drawHeat, drawMarks, drawNumbers } from "./overlay.js";
import { PathPicker } from "./path-picker.js";
import { PieceLayer } from "./piece-layer.js";
import { drawPiece, ensurePieces, pieceWords } from "./pieces.js";
import { PointerInput } from "./pointer-input.js";

/** Layers from the back to the front. */
const LAYERS = /** @type {const} */ ([
  "ground",
  "highlights",
  "pieces",
  "front",
  "ghost",
  "targets",
  "overlay",
  "cells",
]);

export class LudusBoard extends HTMLElement {
  /** @type {Ludus.BoardDiagram | null} */
  #view = null;
  /** @type {number[]} */
  #last = [];
  /** @type {Ludus.MoveView[]} */
  #legal = [];
  /** @type {Ludus.SideName | null} */
  #turn = null;
  /** @type {Ludus.Arrow[]} */
  #arrows = [];
  /** @type {Ludus.Mark[]} */
  #marks = [];
  /** @type {Ludus.CellText[]} */
  #numbers = [];
  /** @type {number[] | null} */
  #heat = null;
  #flipped = false;
  #interactive = false;
  #thumbnail = false;
  #label = "Board";

  #isScheduled = false;
  #shape = "";
  #focus = 0;
  /** Whether the focus came by keyboard: only then do arrow keys move it from cell to cell. */
  #usesKeyboard = true;
  /** @type {Record<typeof LAYERS[number], SVGGElement> | null} */
  #layers = null;
  /** @type {PieceLayer | null} */
  #pieces = null;
  /** @type {SVGRectElement[]} */
  #cells = [];
  /** @type {Geometry | null} */
  #geometry = null;
  #picker = new PathPicker();
  #svg = svg("svg", { class: "board-svg" });
  #live = el("div", { class: "visually-hidden", "aria-live": "polite" });
  #notes = el("p", { class: "board-text" });
  #closeChooser = () => {};

  get view() {
    return this.#view;
  }
  set view(view) {
    this.#view = view;
    this.#schedule();
  }
  /** Cells of the last move, in order. */
  get last() {
    return this.#last;
  }
  set last(cells) {
    this.#last = cells;
    this.#schedule();
  }
  get legal() {
    return this.#legal;
  }
  set legal(moves) {
    this.#legal = moves;
    this.#picker.start(moves);
    this.#closeChooser();
    this.#schedule();
  }
  /** The side whose piece is previewed under a hovering pointer. */
  get turn() {
    return this.#turn;
  }
  set turn(side) {
    this.#turn = side;
  }
  get arrows() {
    return this.#arrows;
  }
  set arrows(arrows) {
    this.#arrows = arrows;
    this.#schedule();
  }
  get marks() {
    return this.#marks;
  }
  set marks(marks) {
    this.#marks = marks;
    this.#schedule();
  }
  get numbers() {
    return this.#numbers;
  }
  set numbers(numbers) {
    this.#numbers = numbers;
    this.#schedule();
  }
  /** Expected owner of each cell, from -1 (second side) to 1 (first side). */
  get heat() {
    return this.#heat;
  }
  set heat(heat) {
    this.#heat = heat;
    this.#schedule();
  }
  get flipped() {
    return this.#flipped;
  }
  set flipped(flipped) {
    this.#flipped = flipped;
    this.#schedule();
  }
  get interactive() {
    return this.#interactive;
  }
  set interactive(interactive) {
    this.#interactive = interactive;
    this.#schedule();
  }
  /** A small picture without labels or focusable cells. */
  get thumbnail() {
    return this.#thumbnail;
  }
  set thumbnail(thumbnail) {
    this.#thumbnail = thumbnail;
    this.#schedule();
  }
  /** Accessible name of the board. */
  get label() {
    return this.#label;
  }
  set label(label) {
    this.#label = label;
    this.#schedule();
  }
  /** Width in pixels; 0 fills the container. */
  get size() {
    return parseFloat(this.style.width) || 0;
  }
  set size(pixels) {
    this.style.width = pixels ? `${pixels}px` : "";
  }

  connectedCallback() {
    if (this.#layers) return;
    ensurePieces();
    const layers = LAYERS.map((name) => [name, svg("g", { class: `layer-${name}` })]);
    this.#layers = Object.fromEntries(layers);
    append(
      this.#svg,
      layers.map(([, layer]) => layer),
    );
    append(this, [this.#svg, this.#notes, this.#live]);
    new PointerInput(this.#svg, {
      isEnabled: () => this.#interactive,
      geometry: () => this.#geometry,
      canLift: (cell) => this.#picker.canLift(this.#moveCell(cell)),
      path: () => this.#picker.path,
      isTarget: (cell) => this.#picker.isTarget(cell),
      press: (cell) => this.#choose(cell, true),
      drag: (cell, point) => this.#pieces?.drag(cell, point),
      drop: (cell, back) => this.#pieces?.drop(cell, back),
      hover: (cell) => this.#showGhost(cell),
    });
    this.#svg.addEventListener(
      "pointerdown",
      () => {
        this.#usesKeyboard = false;
      },
      { capture: true },
    );
    // Focus listeners on the <svg> itself would make it a tab stop.
    this.addEventListener("focusout", (event) => {
      if (!(event.relatedTarget instanceof Node && this.#svg.contains(event.relatedTarget))) this.#usesKeyboard = true;
    });
    this.#svg.addEventListener("keydown", (event) => this.#key(event));
    this.addEventListener("focusin", (event) => this.#focused(event));
    this.#svg.addEventListener("click", (event) => this.#assisted(event));
    this.#schedule();
  }

  /**
   * Reads a message to screen readers.
   * @param {string} message
   */
  announce(message) {
    this.#live.textContent = message;
  }

  /** Puts every piece back to its cell in the view, after a move was refused. */
  settle() {
    this.#picker.clear();
    this.#schedule();
  }

  #schedule() {
    if (this.#isScheduled || !this.isConnected) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#render();
    });
  }

  #render() {
    const view = this.#view;
    if (!view || !this.#layers) return;
    this.#svg.toggleAttribute("hidden", view.grid === "text");
    this.#notes.hidden = view.grid !== "text";
    if (view.grid === "text") return replace(this.#notes, view.notes.join("\n"));
    const reshaped = this.#reshape(view);
    this.#pieces?.sync(view.cells, this.#last, !reshaped);
    this.#showPartial(view);
    this.#svg.classList.toggle("interactive", this.#interactive);
    this.#svg.classList.toggle("draggable", this.#interactive && this.#legal.some((move) => move.cells.length > 1));
    this.#paintHighlights();
    this.#paintOverlay(view);
    this.#labelCells(view);
    return undefined;
  }

  /**
   * Redraws the ground if the shape of the board has changed.
   * @param {Ludus.BoardDiagram} view
   */
  #reshape(view) {
    const shape = JSON.stringify([
      view.grid,
      view.columns,
      view.rows,
      view.column_labels,
      view.row_labels,
      isPiles(view),
      view.cells.map((cell) => cell.name),
      view.cells.some((cell) => cell.piece?.kind === "disc"),
      this.#flipped,
      this.#thumbnail,
    ]);
    if (shape === this.#shape || !this.#layers) return false;
    this.#shape = shape;
    const geometry = new Geometry(view, { flipped: this.#flipped, bare: this.#thumbnail });
    this.#geometry = geometry;
    this.classList.toggle("piles", isPiles(view));
    this.#svg.setAttribute("viewBox", `0 0 ${geometry.width} ${geometry.height}`);
    this.style.setProperty("--board-aspect", `${geometry.width / geometry.height}`);
    this.style.setProperty("--board-units", `${geometry.width}`);
    replace(this.#layers.ground, ground(view, geometry, this.#thumbnail));
    replace(this.#layers.front, foreground(view, geometry, this.#thumbnail));
    this.#pieces = new PieceLayer(this.#layers.pieces, geometry, view.grid);
    this.#layers.ghost.replaceChildren();
    this.#buildCells(view, geometry);
    return true;
  }

  /**
   * @param {Ludus.BoardDiagram} view
   * @param {Geometry} geometry
   */
  #buildCells(view, geometry) {
    this.#cells = [];
    const layer = /** @type {SVGGElement} */ (this.#layers?.cells);
    layer.replaceChildren();
    this.#svg.setAttribute("role", this.#thumbnail ? "img" : "grid");
    if (this.#thumbnail) return;
    for (let row = 0; row < view.rows; row += 1) {
      const line = svg("g", { role: "row" });
      for (let column = 0; column < view.columns; column += 1) {
        const turned = geometry.turn(row, column);
        const index = turned.row * view.columns + turned.column;
        this.#cells[index] = this.#buildCell(view, geometry, index);
        line.append(this.#cells[index]);
      }
      layer.append(line);
    }
    if (!this.#usable(this.#focus))
      this.#focus = Math.max(
        0,
        view.cells.findIndex((_, index) => this.#usable(index)),
      );
  }

  /**
   * @param {Ludus.BoardDiagram} view
   * @param {Geometry} geometry
   * @param {number} index
   */
  #buildCell(view, geometry, index) {
    const { x, y } = geometry.centre(index);
    const inset = 4;
    const side = CELL - 2 * inset;
    return svg("rect", {
      class: "cell",
      x: x - side / 2,
      y: y - side / 2,
      width: side,
      height: side,
      rx: 8,
      tabindex: -1,
      "data-cell": index,
      "data-name": view.cells[index].name,
    });
  }

  /**
   * Whether a cell can be focused: on boards with named cells the others are decoration.
   * @param {number} index
   */
  #usable(index) {
    const view = this.#view;
    if (!view?.cells[index]) return false;
    if (isPiles(view)) return view.cells[index].piece !== null;
    return view.cells[index].name !== "" || view.cells.every((cell) => cell.name === "");
  }

  /** @param {Ludus.BoardDiagram} view */
  #labelCells(view) {
    this.#svg.setAttribute("aria-label", this.#label);
    const { ends } = this.#picker.targets();
    this.#cells.forEach((cell, index) => {
      const usable = this.#usable(index);
      setOrRemove(cell, "role", usable ? "gridcell" : null);
      setOrRemove(cell, "aria-hidden", usable ? null : "true");
      setOrRemove(cell, "aria-label", usable ? this.#cellWords(view, index, ends) : null);
      setOrRemove(cell, "aria-selected", this.#picker.path.includes(index) ? "true" : null);
      setOrRemove(cell, "tabindex", index === this.#focus ? "0" : "-1");
    });
  }

  /**
   * @param {Ludus.BoardDiagram} view
   * @param {number} index
   * @param {Set<number>} ends
   */
  #cellWords(view, index, ends) {
    const { name, piece } = view.cells[index];
    const place =
      name ||
      (isPiles(view)
        ? `pile ${index + 1}`
        : `row ${Math.floor(index / view.columns) + 1} column ${(index % view.columns) + 1}`);
    const what = piece ? pieceWords(piece, view.grid) : "empty";
    const target = this.#picker.path.length > 0 && ends.has(index) ? ", legal target" : "";
    return `${place}, ${what}${target}`;
  }

  #paintHighlights() {
    const [layers, view, geometry] = [this.#layers, this.#view, this.#geometry];
    if (!layers || !view || !geometry) return;
    replace(layers.highlights, drawHighlights(view, geometry, this.#last, this.#picker.path));
    replace(
      layers.targets,
      drawLastMarker(view, geometry, this.#last),
      this.#interactive ? drawTargets(view, geometry, this.#picker) : [],
    );
  }

  /** @param {Ludus.BoardDiagram} view */
  #paintOverlay(view) {
    const layers = this.#layers;
    const geometry = this.#geometry;
    if (!layers || !geometry) return;
    const firstIsLight = view.grid !== "intersections";
    replace(
      layers.overlay,
      this.#heat ? drawHeat(this.#heat, geometry, firstIsLight) : [],
      drawMarks(this.#marks, geometry),
      drawArrows(this.#arrows, geometry),
      drawNumbers(this.#numbers, geometry),
    );
  }

  /** @param {number | null} cell */
  #showGhost(cell) {
    const layer = this.#layers?.ghost;
    const view = this.#view;
    if (!layer || !view || !this.#geometry) return;
    const moveCell = cell === null ? null : this.#moveCell(cell);
    const placing =
      moveCell !== null &&
      this.#interactive &&
      this.#picker.path.length === 0 &&
      this.#legal.some((move) => move.cells.length === 1 && move.cells[0] === moveCell);
    if (!placing || moveCell === null || isPiles(view)) return layer.replaceChildren();
    if (layer.dataset.cell === String(moveCell) && layer.childElementCount > 0) return;
    layer.dataset.cell = String(moveCell);
    const { x, y } = this.#geometry.centre(moveCell);
    replace(
      layer,
      svg("g", { transform: `translate(${x} ${y})`, opacity: 0.45 }, drawPiece(ghostOf(view, this.#turn), view.grid)),
    );
  }

  /**
   * The cell of the legal move that a click on `cell` stands for: in Connect Four the free cell of the column, among piles
   * the first of the same size.
   * @param {number} cell
   */
  #moveCell(cell) {
    const view = this.#view;
    if (!view) return cell;
    if (view.grid === "holes") {
      return this.#legal.find((move) => move.cells[0] % view.columns === cell % view.columns)?.cells[0] ?? cell;
    }
    const piece = view.cells[cell]?.piece;
    if (piece?.kind !== "coins") return cell;
    return view.cells.findIndex((other) => other.piece?.count === piece.count);
  }

  /**
   * @param {number} clicked
   * @param {boolean} gliding
   */
  #choose(clicked, gliding) {
    if (!this.#interactive) return;
    const from = this.#picker.path[0];
    const choice = this.#picker.click(this.#moveCell(clicked));
    this.#layers?.ghost.replaceChildren();
    if (choice.kind === "play") this.#play(choice.move, gliding);
    if (choice.kind === "choose") this.#ask(choice.moves, clicked);
    if (choice.kind === "step" || choice.kind === "none") this.#cells[clicked]?.focus({ preventScroll: true });
    if (choice.kind === "none" && from !== undefined) this.#pieces?.drop(from, true);
    if (choice.kind === "none" && from === undefined)
      this.dispatchEvent(new CustomEvent("refused", { detail: { cell: clicked }, bubbles: true }));
    this.#paintHighlights();
    if (choice.kind !== "play" && this.#view) this.#showPartial(this.#view);
    if (this.#view) this.#labelCells(this.#view);
  }

  /**
   * Shows a piece in the middle of a multiple jump on the cell it has reached.
   * @param {Ludus.BoardDiagram} view
   */
  #showPartial(view) {
    const path = this.#picker.reached();
    this.#pieces?.showPartial(
      path,
      path.slice(1).flatMap((to, index) => between(path[index], to, view.columns)),
    );
  }

  /**
   * @param {Ludus.MoveView} move
   * @param {boolean} gliding
   */
  #play(move, gliding) {
    this.#picker.clear();
    this.#pieces?.drop(move.cells[0], false);
    if (move.cells.length > 1) this.#pieces?.advance(move.cells, gliding);
    this.#paintHighlights();
    this.dispatchEvent(new CustomEvent("move", { detail: move, bubbles: true }));
  }

  /**
   * @param {Ludus.MoveView[]} moves
   * @param {number} cell
   */
  #ask(moves, cell) {
    if (!this.#view) return;
    this.#closeChooser();
    this.#closeChooser = openChooser({
      host: this,
      moves,
      view: this.#view,
      beside: this.#cells[cell],
      chosen: (move) => this.#play(move, true),
      dropped: () => {
        this.settle();
        this.#cells[cell]?.focus({ preventScroll: true });
      },
    });
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const geometry = this.#geometry;
    if (!geometry || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow") && !this.#usesKeyboard) return;
    if (event.key.startsWith("Arrow")) {
      this.#cells[neighbour(geometry, this.#focus, event.key, (index) => this.#usable(index))]?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      this.#choose(this.#focus, true);
    } else if (event.key === "Escape" && this.#picker.path.length > 0) {
      this.settle();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {FocusEvent} event */
  #focused(event) {
    const cell = cellOf(event.target);
    if (cell === null || cell === this.#focus) return;
    this.#cells[this.#focus]?.setAttribute("tabindex", "-1");
    this.#focus = cell;
    this.#cells[cell].setAttribute("tabindex", "0");
  }

  /**
   * Handles clicks of assistive technology, which come without pointer events.
   * @param {MouseEvent} event
   */
  #assisted(event) {
    const cell = cellOf(event.target);
    if (event.detail === 0 && cell !== null) this.#choose(cell, true);
  }
}

/** @param {EventTarget | null} target */
function cellOf(target) {
  const text = target instanceof SVGElement ? target.dataset.cell : undefined;
  return text === undefined ? null : Number(text);
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {string | null} value
 */
function setOrRemove(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * The piece that the side to move would place.
 * @param {Ludus.BoardDiagram} view
 * @param {Ludus.SideName | null} turn
 * @returns {Ludus.PieceView}
 */
function ghostOf(view, turn) {
  const side = turn ?? "first";
  const known = view.cells.find((cell) => cell.piece?.side === side)?.piece;
  if (known) return known;
  const disc = view.grid !== "squares";
  const light = view.grid === "holes" ? side === "first" : side === "second";
  return { side, light, kind: disc ? "disc" : side === "first" ? "cross" : "nought" };
}

customElements.define("ludus-board", LudusBoard);
