/** Dialog to choose between moves with the same cells: promotions, or splits of a pile. */

import { el, on, svg } from "../lib/dom.js";
import { drawPiece } from "./pieces.js";

/** @type {Record<string, Ludus.PieceName>} */
const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };

/**
 * @param {{host: HTMLElement, moves: Ludus.MoveView[], view: Ludus.BoardDiagram, beside: Element,
 *   chosen: (move: Ludus.MoveView) => void, dropped: () => void}} question
 * @returns {() => void} closes it without an answer
 */
export function openChooser(question) {
  const { host, view, beside, chosen, dropped } = question;
  const box = el("div", { class: "chooser", role: "dialog", "aria-label": "Which move?" });
  const close = () => {
    box.remove();
    stopListening();
  };
  const give = (/** @type {Ludus.MoveView | null} */ move) => {
    close();
    if (move) chosen(move);
    else dropped();
  };
  for (const move of strongestFirst(question.moves)) {
    box.append(
      el(
        "button",
        { class: "button", type: "button", "aria-label": move.label, onclick: () => give(move) },
        ...face(move, view),
      ),
    );
  }
  const stopListening = on(
    document,
    "pointerdown",
    (/** @type {PointerEvent} */ event) => {
      if (!(event.target instanceof Node && box.contains(event.target))) give(null);
    },
    { capture: true },
  );
  box.addEventListener("keydown", (event) => {
    if (event.key === "Escape") give(null);
    if (event.key === "ArrowRight" || event.key === "ArrowDown") step(box, 1);
    if (event.key === "ArrowLeft" || event.key === "ArrowUp") step(box, -1);
    if (event.key !== "Tab" && event.key !== "Enter" && event.key !== " ") event.preventDefault();
    event.stopPropagation();
  });
  host.append(box);
  place(box, host.getBoundingClientRect(), beside.getBoundingClientRect());
  box.querySelector("button")?.focus({ preventScroll: true });
  return close;
}

/**
 * Places the box below a cell in the upper half of the board, else above it, and never over the edge.
 * @param {HTMLElement} box
 * @param {DOMRect} host
 * @param {DOMRect} cell
 */
function place(box, host, cell) {
  const gap = 6;
  const above = cell.top + cell.height / 2 > host.top + host.height * 0.55;
  const middle = cell.left + cell.width / 2 - host.left - box.offsetWidth / 2;
  const top = above ? cell.top - host.top - gap - box.offsetHeight : cell.bottom - host.top + gap;
  box.style.left = `${Math.max(0, Math.min(host.width - box.offsetWidth, middle))}px`;
  box.style.top = `${top}px`;
}

/**
 * Sorts promotions from the strongest piece to the weakest; the server lists them the other way round.
 * @param {Ludus.MoveView[]} moves
 */
function strongestFirst(moves) {
  return moves.every((move) => move.move.slice(-1) in PROMOTIONS) ? [...moves].reverse() : moves;
}

/**
 * @param {HTMLElement} box
 * @param {number} by
 */
function step(box, by) {
  const buttons = [...box.querySelectorAll("button")];
  const at = buttons.findIndex((button) => button.matches(":focus"));
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
}

/**
 * Content of a move's button: the new piece of a promotion, else the label of the move.
 * @param {Ludus.MoveView} move
 * @param {Ludus.BoardDiagram} view
 * @returns {(Node | string)[]}
 */
function face(move, view) {
  const piece = view.cells[move.cells[0]]?.piece;
  if (piece?.kind === "coins") return [move.label.replace(/^.*=/, "").replace("+", " + ")];
  const kind = PROMOTIONS[move.move.slice(-1)];
  if (piece?.kind !== "pawn" || !kind) return [move.label];
  return [
    svg(
      "svg",
      { class: "chooser-piece", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
      drawPiece({ ...piece, kind }, view.grid),
    ),
  ];
}
