/** The moves of a game with its variations in parentheses. */

import { el, replace } from "../../lib/dom.js";

/** @typedef {import("./game-tree.js").GameNode} GameNode */
/** @typedef {import("./game-tree.js").GameTree} GameTree */
/** @typedef {import("../../charts/score-graph.js").Annotation} Annotation */

export class VariationList {
  element = el("div", { class: "variations scroll", role: "group", "aria-label": "Moves and variations" });
  /** @type {Map<GameNode, HTMLButtonElement>} */
  #buttons = new Map();
  /** @type {HTMLButtonElement | null} */
  #current = null;

  /** @param {(node: GameNode) => void} select */
  constructor(select) {
    this.select = select;
  }

  /**
   * Redraws the list after the moves have changed.
   * @param {GameTree} tree
   * @param {(node: GameNode) => Annotation | null} annotationFor
   */
  draw(tree, annotationFor) {
    this.#buttons.clear();
    this.annotationFor = annotationFor;
    this.odd = tree.firstTurn === "second" ? 1 : 0;
    const start = el(
      "button",
      { type: "button", class: "variation-move start", onclick: () => this.select(tree.root) },
      "Start",
    );
    this.#buttons.set(tree.root, start);
    replace(this.element, el("div", { class: "variation-line" }, start, ...this.#line(tree.root, true)));
  }

  /**
   * Adds the continuation of a node: its first child, then the alternatives to it.
   * @param {GameNode} from
   * @param {boolean} numbered whether the first move needs a number
   * @returns {Node[]}
   */
  #line(from, numbered) {
    /** @type {Node[]} */
    const parts = [];
    let mustNumber = numbered;
    for (let node = from; node.children.length > 0; node = node.children[0]) {
      const [main, ...others] = node.children;
      parts.push(...this.#move(main, mustNumber));
      mustNumber = main.comment !== "" || others.length > 0;
      for (const other of others) {
        parts.push(
          el(
            "div",
            { class: "variation-line nested" },
            ...this.#move(other, true),
            ...this.#line(other, other.comment !== ""),
          ),
        );
      }
    }
    return parts;
  }

  /**
   * @param {GameNode} node
   * @param {boolean} mustNumber
   */
  #move(node, mustNumber) {
    const place = node.ply - 1 + (this.odd ?? 0);
    const isSecond = place % 2 === 1;
    const number = `${(place >> 1) + 1}${isSecond ? "…" : "."}`;
    const annotation = this.annotationFor?.(node) ?? null;
    const button = el(
      "button",
      {
        type: "button",
        class: `variation-move${annotation ? ` ${annotation.name}` : ""}`,
        title: annotation?.name ?? null,
        onclick: () => this.select(node),
      },
      node.label,
      annotation ? el("span", { class: "variation-sign" }, annotation.sign) : null,
    );
    this.#buttons.set(node, button);
    return [
      !isSecond || mustNumber ? el("span", { class: "variation-number number" }, number) : null,
      button,
      node.comment ? el("span", { class: "variation-comment" }, node.comment) : null,
    ].filter((part) => part !== null);
  }

  /** @param {GameNode} node */
  mark(node) {
    this.#current?.removeAttribute("aria-current");
    this.#current = this.#buttons.get(node) ?? null;
    this.#current?.setAttribute("aria-current", "true");
    const [list, button] = [this.element, this.#current];
    if (!button) return;
    // Relative to the list, which is positioned.
    const top = button.offsetTop;
    if (top < list.scrollTop || top + button.offsetHeight > list.scrollTop + list.clientHeight)
      list.scrollTop = top - list.clientHeight / 2;
  }
}
