/** The players of a new contest: chosen from the gallery, or typed. */

import { OptionForm } from "../../forms/option-form.js";
import { el, replace, setText } from "../../lib/dom.js";
import { emblem, icon } from "../../lib/icons.js";
import { capital, playerName } from "../../lib/names.js";
import { readSpec, writeSpec } from "../../lib/specs.js";

/** One player: its specification as text, and its options as a form. */
class Entrant {
  #game;
  #picture = el("span", { class: "entrant-emblem" });
  #about = el("span", { class: "entrant-about muted small" });
  #options = el("div", { class: "entrant-options" });
  #more = el(
    "button",
    { class: "button quiet", type: "button", "aria-expanded": "false" },
    icon("settings"),
    el("span", {}, "Options"),
  );
  #changed;
  input = el("input", {
    class: "input code",
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    "aria-label": "Player",
  });
  element;

  /**
   * @param {Ludus.GameCard} game
   * @param {string} spec
   * @param {{ changed: () => void, removed: (entrant: Entrant) => void }} listeners
   */
  constructor(game, spec, { changed, removed }) {
    this.#game = game;
    this.#changed = changed;
    this.input.value = spec;
    this.input.addEventListener("input", () => this.#typed());
    this.#more.addEventListener("click", () => this.#toggle());
    this.#options.hidden = true;
    const remove = el(
      "button",
      {
        class: "button quiet icon",
        type: "button",
        "aria-label": "Remove this player",
        title: "Remove",
        onclick: () => removed(this),
      },
      icon("close"),
    );
    this.element = el(
      "li",
      { class: "entrant" },
      this.#picture,
      el("div", { class: "entrant-main" }, this.input, this.#about),
      el("div", { class: "row nowrap" }, this.#more, remove),
      this.#options,
    );
    this.#paint();
  }

  get spec() {
    return this.input.value.trim();
  }

  #player() {
    const { id } = readSpec(this.spec);
    return this.#game.players.find((player) => player.id === id);
  }

  #typed() {
    if (!this.#options.hidden) this.#toggle();
    this.#paint();
    this.#changed();
  }

  #paint() {
    const player = this.#player();
    replace(this.#picture, emblem(readSpec(this.spec).id || "?", 40));
    this.#more.disabled = !player || player.options.length === 0;
    this.input.setAttribute("aria-invalid", String(!player));
    setText(
      this.#about,
      player
        ? capital(player.about)
        : this.spec
          ? `${this.#game.name} has no player called “${readSpec(this.spec).id}”`
          : "Enter a player, such as engine:level=3",
    );
    this.#about.classList.toggle("field-error", !player && this.spec !== "");
  }

  #toggle() {
    const open = this.#options.hidden;
    const player = this.#player();
    this.#options.hidden = !open;
    this.#more.setAttribute("aria-expanded", String(open));
    if (!open || !player) return this.#options.replaceChildren();
    const form = new OptionForm();
    form.options = player.options;
    form.values = readSpec(this.spec).options;
    form.addEventListener("change", () => {
      this.input.value = writeSpec(player.id, form.values);
      this.#paint();
      this.#changed();
    });
    this.#options.replaceChildren(form);
  }
}

export class Entrants {
  /** @type {Entrant[]} */ #entrants = [];
  /** @type {Ludus.GameCard | null} */ #game = null;
  #changed;
  #list = el("ol", { class: "entrant-list" });
  #gallery = el("div", { class: "entrant-gallery" });
  element = el(
    "div",
    { class: "column tight" },
    this.#list,
    el("div", {}, el("span", { class: "label" }, "Add a player"), this.#gallery),
  );

  /** @param {() => void} changed */
  constructor(changed) {
    this.#changed = changed;
  }

  /** The players' specifications. */
  get specs() {
    return this.#entrants.map((entrant) => entrant.spec).filter(Boolean);
  }

  /**
   * @param {Ludus.GameCard} game
   * @param {string[]} specs
   */
  show(game, specs) {
    this.#game = game;
    this.#entrants = [];
    this.#list.replaceChildren();
    for (const spec of specs) this.#add(spec);
    replace(
      this.#gallery,
      game.players.map((player) =>
        el(
          "button",
          { class: "entrant-chip", type: "button", title: player.about, onclick: () => this.#choose(player) },
          emblem(player.id, 24),
          playerName(player.id),
        ),
      ),
    );
    this.#changed();
  }

  /** @param {Ludus.PlayerCard} player */
  #choose(player) {
    const { levels } = player;
    this.#add(levels ? writeSpec(player.id, { [levels.option]: levels.default }) : player.id);
    this.#changed();
  }

  /** @param {string} spec */
  #add(spec) {
    if (!this.#game) return;
    const entrant = new Entrant(this.#game, spec, { changed: this.#changed, removed: (one) => this.#remove(one) });
    this.#entrants.push(entrant);
    this.#list.append(entrant.element);
  }

  /** @param {Entrant} entrant */
  #remove(entrant) {
    this.#entrants = this.#entrants.filter((one) => one !== entrant);
    entrant.element.remove();
    this.#changed();
  }
}
