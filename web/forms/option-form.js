/** <ludus-options>: a form for the options of a game or a player, built from the server's description. */

import { el, replace } from "../lib/dom.js";
import { capital, choiceName } from "../lib/names.js";

/** Fires `change` when a value changes. */
export class OptionForm extends HTMLElement {
  /** @type {Ludus.OptionView[]} */
  #options = [];
  /** @type {Record<string, string>} */
  #values = {};

  get options() {
    return this.#options;
  }
  set options(options) {
    this.#options = options;
    this.#build();
  }

  /** Only the values that differ from the defaults. */
  get values() {
    return { ...this.#values };
  }
  set values(values) {
    this.#values = { ...values };
    this.#build();
  }

  #build() {
    this.className = "option-form";
    replace(
      this,
      this.#options.map((spec) =>
        field(spec, this.#values[spec.name] ?? spec.default, (value) => {
          if (value === spec.default || value === "") delete this.#values[spec.name];
          else this.#values[spec.name] = value;
          this.dispatchEvent(new Event("change", { bubbles: true }));
        }),
      ),
    );
  }
}

customElements.define("ludus-options", OptionForm);

let count = 0;

/**
 * @param {Ludus.OptionView} spec
 * @param {string} value
 * @param {(value: string) => void} set
 */
function field(spec, value, set) {
  count += 1;
  const id = `option-${count}`;
  const label = el("label", { class: "label", for: id }, capital(spec.name));
  const about = el("span", { class: "hint", id: `${id}-about` }, capital(spec.about));
  const input = control(spec, value, set);
  input.id = id;
  input.setAttribute("aria-describedby", about.id);
  if (spec.kind === "switch") return el("div", { class: "field inline" }, el("div", {}, label, el("br"), about), input);
  return el("div", { class: "field" }, label, input, about);
}

/**
 * @param {Ludus.OptionView} spec
 * @param {string} value
 * @param {(value: string) => void} set
 * @returns {HTMLElement}
 */
function control(spec, value, set) {
  switch (spec.kind) {
    case "choice": {
      const options = (spec.choices ?? []).map((choice) =>
        el("option", { value: choice, ".selected": choice === value }, choiceName(choice)),
      );
      return el("select", { class: "select", onchange: change((input) => input.value, set) }, options);
    }
    case "switch":
      return el("input", {
        type: "checkbox",
        class: "switch",
        role: "switch",
        ".checked": value === "on",
        onchange: change((input) => (/** @type {HTMLInputElement} */ (input).checked ? "on" : "off"), set),
      });
    case "integer":
    case "number":
      return numberInput(spec, value, set);
    default:
      return el("input", {
        class: "input",
        type: "text",
        value,
        placeholder: spec.default,
        autocomplete: "off",
        spellcheck: "false",
        oninput: change((input) => input.value.trim(), set),
      });
  }
}

/**
 * Numeric options may take words (`komi=auto`): a field whose default is a word takes text.
 * @param {Ludus.OptionView} spec
 * @param {string} value
 * @param {(value: string) => void} set
 */
function numberInput(spec, value, set) {
  const numeric = Number.isFinite(Number(spec.default)) && spec.default !== "";
  return el("input", {
    class: "input number",
    type: numeric ? "number" : "text",
    inputmode: "decimal",
    value,
    placeholder: spec.default,
    min: numeric ? spec.min : null,
    max: numeric ? spec.max : null,
    step: spec.kind === "integer" ? 1 : "any",
    autocomplete: "off",
    oninput: change((input) => input.value.trim(), set),
  });
}

/**
 * @param {(input: HTMLInputElement | HTMLSelectElement) => string} read
 * @param {(value: string) => void} set
 */
function change(read, set) {
  return (/** @type {Event} */ event) => {
    event.stopPropagation();
    set(read(/** @type {HTMLInputElement | HTMLSelectElement} */ (event.currentTarget)));
  };
}
