/** Asks which of several moves is meant: a promotion, or one of the splits of a pile. */

import { el, on, svg } from "../lib/dom.js";
import { drawPiece } from "./board-pieces.js";

/** @type {Record<string, Ludus.PieceKind>} */
const PROMOTIONS = { q: "queen", r: "rook", b: "bishop", n: "knight" };

/**
 * @param {{host: HTMLElement, moves: Ludus.Move[], view: Ludus.View, beside: Element,
 *   chosen: (move: Ludus.Move) => void, dropped: () => void}} question
 * @returns {() => void} closes it without an answer
 */
export function openChooser(question) {
  const { host, view, beside, chosen, dropped } = question;
  const box = el("div", { class: "chooser", role: "dialog", "aria-label": "Which move?" });
  const close = () => {
    box.remove();
    stopListening();
  };
  const give = (/** @type {Ludus.Move | null} */ move) => {
    close();
    if (move) chosen(move);
    else dropped();
  };
  for (const move of strongestFirst(question.moves)) {
    box.append(el("button", { class: "button", type: "button", "aria-label": move.label, onclick: () => give(move) }, ...face(move, view)));
  }
  const stopListening = on(document, "pointerdown", (/** @type {PointerEvent} */ event) => {
    if (!(event.target instanceof Node && box.contains(event.target))) give(null);
  }, { capture: true });
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
 * Below a cell in the upper half of the board, else above it, and never over its edge.
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
 * Promotions are listed from the least piece to the greatest; nearly everybody wants the greatest.
 * @param {Ludus.Move[]} moves
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
  const at = buttons.findIndex((button) => button === document.activeElement);
  buttons[(at + by + buttons.length) % buttons.length]?.focus();
}

/**
 * What the button of a move shows: the new piece of a promotion, else the move in words.
 * @param {Ludus.Move} move
 * @param {Ludus.View} view
 * @returns {(Node | string)[]}
 */
function face(move, view) {
  const piece = view.cells[move.cells[0]]?.piece;
  if (piece?.kind === "coins") return [move.label.replace(/^.*=/, "").replace("+", " + ")];
  const kind = PROMOTIONS[move.move.slice(-1)];
  if (piece?.kind !== "pawn" || !kind) return [move.label];
  return [svg("svg", { class: "chooser-piece", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    drawPiece({ ...piece, kind }, view.grid))];
}
