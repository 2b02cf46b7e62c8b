/** The pieces on a board as elements that stay: they move, turn over, come and go. */

import { replace, svg } from "../lib/dom.js";
import { drawPiece, pieceKey } from "./board-pieces.js";

/**
 * @typedef {import("./board-geometry.js").Geometry} Geometry
 * @typedef {import("./board-geometry.js").Point} Point
 * @typedef {{piece: Ludus.Piece, key: string, element: SVGGElement, figure: SVGGElement, shown: Point}} Man
 */

const LEG = 150;
const LONGEST = 600;
/** With more changes than these a new position is shown at once. */
const MANY = 8;

/** @param {Point} point */
const translate = ({ x, y }) => `translate(${x}px, ${y}px)`;

const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Men {
  /** @type {Map<number, Man>} */
  #men = new Map();
  /** @type {Geometry} */
  #geometry;
  /** @type {Ludus.Grid} */
  #grid;
  /** The piece in the middle of its move: where the view has it and where it stands. @type {{ home: number, at: number } | null} */
  #underway = null;

  /**
   * @param {SVGGElement} layer
   * @param {Geometry} geometry
   * @param {Ludus.Grid} grid
   */
  constructor(layer, geometry, grid) {
    this.layer = layer;
    this.#geometry = geometry;
    this.#grid = grid;
    layer.replaceChildren();
  }

  /**
   * Brings the pieces up to the view; `last` is the way of the move that led there.
   * @param {Ludus.Cell[]} cells
   * @param {number[]} last
   * @param {boolean} animated
   */
  sync(cells, last, animated) {
    const arriving = new Map();
    const leaving = new Map();
    cells.forEach(({ piece }, cell) => {
      const man = this.#men.get(cell);
      if (man && piece && man.key === pieceKey(piece)) return this.#home(man, cell, animated);
      if (man && piece && this.#change(man, piece, animated)) return undefined;
      if (man) leaving.set(cell, man);
      if (piece) arriving.set(cell, piece);
      return undefined;
    });
    for (const cell of leaving.keys()) this.#men.delete(cell);
    const lively = animated && !still.matches && arriving.size <= MANY;
    for (const [cell, piece] of arriving) this.#arrive(cell, piece, takeMover(cell, piece, leaving, last), last, lively);
    for (const man of leaving.values()) fade(man, lively);
  }

  /**
   * Moves a piece along a path at once, before the server has confirmed it.
   * @param {number[]} path
   * @param {boolean} gliding
   */
  advance(path, gliding) {
    const man = this.#men.get(path[0]);
    const target = path[path.length - 1];
    if (!man || target === path[0]) return;
    const captured = this.#men.get(target);
    if (captured) fade(captured, !still.matches);
    this.#men.delete(path[0]);
    this.#men.set(target, man);
    const home = this.#geometry.centre(path[0]);
    const dragged = man.shown.x !== home.x || man.shown.y !== home.y;
    const rest = this.#underway ? path.slice(path.indexOf(this.#underway.at) + 1) : dragged ? [target] : path.slice(1);
    this.#underway = null;
    this.#glide(man, rest, gliding && !still.matches);
  }

  /**
   * Shows a piece in the middle of its move, and as good as taken what it has jumped so far.
   * @param {number[]} way so far; empty if no piece is on its way
   * @param {number[]} jumped
   */
  pause(way, jumped) {
    const before = this.#underway;
    this.#underway = way.length > 0 ? { home: way[0], at: way[way.length - 1] } : null;
    this.#men.forEach(({ element }, cell) => element.classList.toggle("jumped", jumped.includes(cell)));
    for (const cell of [before?.home, this.#underway?.home]) {
      const man = cell === undefined ? undefined : this.#men.get(cell);
      if (man && cell !== undefined) this.#home(man, cell, true);
    }
  }

  /**
   * Holds a piece at a point, as a hand does.
   * @param {number} cell
   * @param {Point} point
   */
  hold(cell, point) {
    const man = this.#men.get(cell);
    if (!man) return;
    if (!man.element.classList.contains("held")) {
      man.element.classList.add("held");
      this.layer.append(man.element);
    }
    man.shown = point;
    man.element.style.transform = translate(point);
  }

  /**
   * Lets go of a piece; it glides back unless it moves on.
   * @param {number} cell
   * @param {boolean} back
   */
  release(cell, back) {
    const man = this.#men.get(cell);
    if (!man) return;
    man.element.classList.remove("held");
    if (back) this.#home(man, cell, true);
  }

  /** @param {number} cell */
  at(cell) {
    return this.#men.get(cell)?.piece ?? null;
  }

  /**
   * @param {Man} man
   * @param {number} cell
   * @param {boolean} animated
   */
  #home(man, cell, animated) {
    const place = this.#underway?.home === cell ? this.#underway.at : cell;
    const home = this.#geometry.centre(place);
    if (man.shown.x === home.x && man.shown.y === home.y) return;
    if (man.element.classList.contains("held")) return;
    this.#glide(man, [place], animated && !still.matches);
  }

  /**
   * Discs turn over and piles shrink where they are.
   * @param {Man} man
   * @param {Ludus.Piece} piece
   * @param {boolean} animated
   * @returns {boolean} whether the piece could change in place
   */
  #change(man, piece, animated) {
    if (man.piece.kind !== piece.kind || (piece.kind !== "disc" && piece.kind !== "coins")) return false;
    this.#dress(man, piece);
    if (animated && !still.matches) {
      const from = piece.kind === "disc" ? "scaleX(0.05)" : "scale(0.92)";
      man.figure.animate([{ transform: from }, { transform: "none" }], { duration: 2 * LEG, easing: "ease-out" });
    }
    return true;
  }

  /**
   * @param {Man} man
   * @param {Ludus.Piece} piece
   */
  #dress(man, piece) {
    man.piece = piece;
    man.key = pieceKey(piece);
    replace(man.figure, drawPiece(piece, this.#grid));
  }

  /**
   * @param {number} cell
   * @param {Ludus.Piece} piece
   * @param {Man | null} mover the piece that came here, if one did
   * @param {number[]} last
   * @param {boolean} lively
   */
  #arrive(cell, piece, mover, last, lively) {
    if (mover) {
      if (mover.key !== pieceKey(piece)) this.#dress(mover, piece);
      this.#men.set(cell, mover);
      const way = last[last.length - 1] === cell && last.length > 2 ? last.slice(1) : [cell];
      this.#glide(mover, way, lively);
      return;
    }
    const home = this.#geometry.centre(cell);
    const figure = svg("g", {}, drawPiece(piece, this.#grid));
    const element = svg("g", { class: "man" }, figure);
    element.style.transform = translate(home);
    this.#men.set(cell, { piece, key: pieceKey(piece), element, figure, shown: home });
    this.layer.append(element);
    if (lively) this.#appear(element, figure, home);
  }

  /**
   * @param {SVGGElement} element
   * @param {SVGGElement} figure
   * @param {Point} home
   */
  #appear(element, figure, home) {
    if (this.#grid === "holes") {
      const above = { x: home.x, y: -60 };
      element.animate([{ transform: translate(above), easing: "ease-in" }, { transform: translate(home) }],
        { duration: 120 + home.y * 0.35 });
    } else {
      figure.animate([{ opacity: 0, transform: "scale(1.18)" }, { opacity: 1, transform: "none" }],
        { duration: LEG, easing: "ease-out" });
    }
  }

  /**
   * @param {Man} man
   * @param {number[]} way
   * @param {boolean} lively
   */
  #glide(man, way, lively) {
    const points = [man.shown, ...way.map((cell) => this.#geometry.centre(cell))];
    const home = points[points.length - 1];
    man.shown = home;
    man.element.style.transform = translate(home);
    if (!lively) return;
    this.layer.append(man.element);
    man.element.animate(points.map((point) => ({ transform: translate(point) })),
      { duration: Math.min(LONGEST, LEG * way.length), easing: way.length > 1 ? "linear" : "ease-out" });
  }
}

/**
 * The leaving piece that most likely is the one arriving at `cell`: the mover of the last move, or the nearest alike.
 * @param {number} cell
 * @param {Ludus.Piece} piece
 * @param {Map<number, Man>} leaving
 * @param {number[]} last
 * @returns {Man | null}
 */
function takeMover(cell, piece, leaving, last) {
  if (["disc", "cross", "nought", "coins"].includes(piece.kind)) return null;
  const moved = last[last.length - 1] === cell ? leaving.get(last[0]) : undefined;
  if (moved && moved.piece.light === piece.light) {
    leaving.delete(last[0]);
    return moved;
  }
  for (const [from, man] of leaving) {
    if (man.key !== pieceKey(piece)) continue;
    leaving.delete(from);
    return man;
  }
  return null;
}

/**
 * @param {Man} man
 * @param {boolean} lively
 */
function fade(man, lively) {
  if (!lively) return man.element.remove();
  const fading = man.figure.animate([{ opacity: 1 }, { opacity: 0, transform: "scale(0.8)" }],
    { duration: LEG, easing: "ease-in", fill: "forwards" });
  fading.addEventListener("finish", () => man.element.remove());
  return undefined;
}
