/** A list of cards updated in place, so that focus and hover are kept. */

import { el } from "./dom.js";

/**
 * @template T
 * @typedef {{ element: HTMLElement, show: (item: T) => void }} Card
 */

/** @template T */
export class CardList {
  /** @type {Map<string, Card<T>>} */ #cards = new Map();
  #key;
  #make;
  element;

  /**
   * @param {string} style class of the grid
   * @param {(item: T) => string} key
   * @param {() => Card<T>} make
   */
  constructor(style, key, make) {
    this.#key = key;
    this.#make = make;
    this.element = el("div", { class: `grid ${style}` });
  }

  /** @param {T[]} items */
  show(items) {
    const wanted = new Set(items.map(this.#key));
    for (const [key, card] of this.#cards) {
      if (wanted.has(key)) continue;
      card.element.remove();
      this.#cards.delete(key);
    }
    items.forEach((item, index) => {
      const card = this.#card(this.#key(item));
      card.show(item);
      const there = this.element.children[index];
      if (there !== card.element) this.element.insertBefore(card.element, there ?? null);
    });
  }

  /** @param {string} key */
  #card(key) {
    const known = this.#cards.get(key);
    if (known) return known;
    const card = this.#make();
    this.#cards.set(key, card);
    return card;
  }
}
