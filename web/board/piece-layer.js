/** Piece layer: one SVG element a piece, kept from view to view so that moves, flips and captures can be animated. */

import { replace, svg } from "../lib/dom.js";
import { drawPiece, pieceKey } from "./pieces.js";

/**
 * @typedef {import("./geometry.js").Geometry} Geometry
 * @typedef {import("./geometry.js").Point} Point
 * @typedef {{piece: Ludus.PieceView, key: string, element: SVGGElement, figure: SVGGElement, at: Point}} Sprite
 */

/** Time from one cell of a move to the next, and the longest time for a whole move. */
const STEP_MS = 150;
const MAX_MOVE_MS = 600;
/** Positions with more arriving pieces are shown without animation. */
const MAX_ANIMATED_PIECES = 8;

/** @param {Point} point */
const translate = ({ x, y }) => `translate(${x}px, ${y}px)`;

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

export class PieceLayer {
  /** @type {Map<number, Sprite>} */
  #sprites = new Map();
  /** @type {Geometry} */
  #geometry;
  /** @type {Ludus.GridKind} */
  #grid;
  /**
   * The piece in the middle of a multi-step move: its cell in the view, and the cell it has reached.
   * @type {{ home: number, reached: number } | null}
   */
  #partial = null;

  /**
   * @param {SVGGElement} layer
   * @param {Geometry} geometry
   * @param {Ludus.GridKind} grid
   */
  constructor(layer, geometry, grid) {
    this.layer = layer;
    this.#geometry = geometry;
    this.#grid = grid;
    layer.replaceChildren();
  }

  /**
   * Updates the pieces to a view; `last` is the path of the move that led to it.
   * @param {Ludus.CellView[]} cells
   * @param {number[]} last
   * @param {boolean} animated
   */
  sync(cells, last, animated) {
    const arriving = new Map();
    const leaving = new Map();
    for (const [cell, { piece }] of cells.entries()) {
      const sprite = this.#sprites.get(cell);
      if (sprite && piece && sprite.key === pieceKey(piece)) {
        this.#moveHome(sprite, cell, animated);
        continue;
      }
      if (sprite && piece && this.#changeInPlace(sprite, piece, animated)) continue;
      if (sprite) leaving.set(cell, sprite);
      if (piece) arriving.set(cell, piece);
    }
    for (const cell of leaving.keys()) this.#sprites.delete(cell);
    const isAnimated = animated && !reducedMotion.matches && arriving.size <= MAX_ANIMATED_PIECES;
    for (const [cell, piece] of arriving)
      this.#arrive(cell, piece, takeMover(cell, piece, leaving, last), last, isAnimated);
    for (const sprite of leaving.values()) fade(sprite, isAnimated);
  }

  /**
   * Moves a piece along a path at once, before the server has confirmed it.
   * @param {number[]} path
   * @param {boolean} gliding
   */
  advance(path, gliding) {
    const sprite = this.#sprites.get(path[0]);
    const target = path[path.length - 1];
    if (!sprite || target === path[0]) return;
    const captured = this.#sprites.get(target);
    if (captured) fade(captured, !reducedMotion.matches);
    this.#sprites.delete(path[0]);
    this.#sprites.set(target, sprite);
    const home = this.#geometry.centre(path[0]);
    const dragged = sprite.at.x !== home.x || sprite.at.y !== home.y;
    const rest = this.#partial
      ? path.slice(path.indexOf(this.#partial.reached) + 1)
      : dragged
        ? [target]
        : path.slice(1);
    this.#partial = null;
    this.#glide(sprite, rest, gliding && !reducedMotion.matches);
  }

  /**
   * Shows a piece in the middle of its move, and the pieces it has jumped so far as captured.
   * @param {number[]} path so far; empty if no move is begun
   * @param {number[]} jumped
   */
  showPartial(path, jumped) {
    const before = this.#partial;
    this.#partial = path.length > 0 ? { home: path[0], reached: path[path.length - 1] } : null;
    for (const [cell, { element }] of this.#sprites) element.classList.toggle("jumped", jumped.includes(cell));
    for (const cell of [before?.home, this.#partial?.home]) {
      const sprite = cell === undefined ? undefined : this.#sprites.get(cell);
      if (sprite && cell !== undefined) this.#moveHome(sprite, cell, true);
    }
  }

  /**
   * Places a dragged piece under the pointer.
   * @param {number} cell
   * @param {Point} point
   */
  drag(cell, point) {
    const sprite = this.#sprites.get(cell);
    if (!sprite) return;
    if (!sprite.element.classList.contains("dragged")) {
      sprite.element.classList.add("dragged");
      this.layer.append(sprite.element);
    }
    sprite.at = point;
    sprite.element.style.transform = translate(point);
  }

  /**
   * Ends the drag of a piece, which glides back unless it has moved.
   * @param {number} cell
   * @param {boolean} back
   */
  drop(cell, back) {
    const sprite = this.#sprites.get(cell);
    if (!sprite) return;
    sprite.element.classList.remove("dragged");
    if (back) this.#moveHome(sprite, cell, true);
  }

  /**
   * @param {Sprite} sprite
   * @param {number} cell
   * @param {boolean} animated
   */
  #moveHome(sprite, cell, animated) {
    const place = this.#partial?.home === cell ? this.#partial.reached : cell;
    const home = this.#geometry.centre(place);
    if (sprite.at.x === home.x && sprite.at.y === home.y) return;
    if (sprite.element.classList.contains("dragged")) return;
    this.#glide(sprite, [place], animated && !reducedMotion.matches);
  }

  /**
   * Discs flip and piles shrink in place.
   * @param {Sprite} sprite
   * @param {Ludus.PieceView} piece
   * @param {boolean} animated
   * @returns {boolean} whether it did
   */
  #changeInPlace(sprite, piece, animated) {
    if (sprite.piece.kind !== piece.kind || (piece.kind !== "disc" && piece.kind !== "coins")) return false;
    this.#redraw(sprite, piece);
    if (animated && !reducedMotion.matches) {
      const from = piece.kind === "disc" ? "scaleX(0.05)" : "scale(0.92)";
      sprite.figure.animate([{ transform: from }, { transform: "none" }], {
        duration: 2 * STEP_MS,
        easing: "ease-out",
      });
    }
    return true;
  }

  /**
   * @param {Sprite} sprite
   * @param {Ludus.PieceView} piece
   */
  #redraw(sprite, piece) {
    sprite.piece = piece;
    sprite.key = pieceKey(piece);
    replace(sprite.figure, drawPiece(piece, this.#grid));
  }

  /**
   * @param {number} cell
   * @param {Ludus.PieceView} piece
   * @param {Sprite | null} mover the piece that moved here, if one did
   * @param {number[]} last
   * @param {boolean} animated
   */
  #arrive(cell, piece, mover, last, animated) {
    if (mover) {
      if (mover.key !== pieceKey(piece)) this.#redraw(mover, piece);
      this.#sprites.set(cell, mover);
      const path = last[last.length - 1] === cell && last.length > 2 ? last.slice(1) : [cell];
      this.#glide(mover, path, animated);
      return;
    }
    const home = this.#geometry.centre(cell);
    const figure = svg("g", {}, drawPiece(piece, this.#grid));
    const element = svg("g", { class: "board-piece" }, figure);
    element.style.transform = translate(home);
    this.#sprites.set(cell, { piece, key: pieceKey(piece), element, figure, at: home });
    this.layer.append(element);
    if (animated) this.#appear(element, figure, home);
  }

  /**
   * @param {SVGGElement} element
   * @param {SVGGElement} figure
   * @param {Point} home
   */
  #appear(element, figure, home) {
    if (this.#grid === "holes") {
      const above = { x: home.x, y: -60 };
      element.animate([{ transform: translate(above), easing: "ease-in" }, { transform: translate(home) }], {
        duration: 120 + home.y * 0.35,
      });
    } else {
      figure.animate(
        [
          { opacity: 0, transform: "scale(1.18)" },
          { opacity: 1, transform: "none" },
        ],
        { duration: STEP_MS, easing: "ease-out" },
      );
    }
  }

  /**
   * @param {Sprite} sprite
   * @param {number[]} path
   * @param {boolean} animated
   */
  #glide(sprite, path, animated) {
    const points = [sprite.at, ...path.map((cell) => this.#geometry.centre(cell))];
    const home = points[points.length - 1];
    sprite.at = home;
    sprite.element.style.transform = translate(home);
    if (!animated) return;
    this.layer.append(sprite.element);
    sprite.element.animate(
      points.map((point) => ({ transform: translate(point) })),
      { duration: Math.min(MAX_MOVE_MS, STEP_MS * path.length), easing: path.length > 1 ? "linear" : "ease-out" },
    );
  }
}

/**
 * Takes the leaving piece that probably arrived at `cell`: the mover of the last move, else one that looks alike.
 * @param {number} cell
 * @param {Ludus.PieceView} piece
 * @param {Map<number, Sprite>} leaving
 * @param {number[]} last
 * @returns {Sprite | null}
 */
function takeMover(cell, piece, leaving, last) {
  if (["disc", "cross", "nought", "coins"].includes(piece.kind)) return null;
  const moved = last[last.length - 1] === cell ? leaving.get(last[0]) : undefined;
  if (moved && moved.piece.light === piece.light) {
    leaving.delete(last[0]);
    return moved;
  }
  for (const [from, sprite] of leaving) {
    if (sprite.key !== pieceKey(piece)) continue;
    leaving.delete(from);
    return sprite;
  }
  return null;
}

/**
 * @param {Sprite} sprite
 * @param {boolean} animated
 */
function fade(sprite, animated) {
  if (!animated) return sprite.element.remove();
  const fading = sprite.figure.animate([{ opacity: 1 }, { opacity: 0, transform: "scale(0.8)" }], {
    duration: STEP_MS,
    easing: "ease-in",
    fill: "forwards",
  });
  fading.addEventListener("finish", () => sprite.element.remove());
  return undefined;
}
