/** Labelled controls of forms. */

import { el } from "../lib/dom.js";

let fields = 0;

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [hint]
 */
export function field(label, control, hint) {
  fields += 1;
  control.id ||= `field-${fields}`;
  return el(
    "div",
    { class: "field" },
    el("label", { class: "label", for: control.id }, label),
    control,
    hint ? el("span", { class: "hint" }, hint) : null,
  );
}

/**
 * @param {number} value
 * @param {{ min?: number, max?: number, step?: number | "any" }} [bounds]
 */
export function numberInput(value, { min, max, step = 1 } = {}) {
  return el("input", {
    class: "input number",
    type: "number",
    inputmode: "decimal",
    min,
    max,
    step,
    required: true,
    value,
  });
}

/**
 * A switch with its label.
 * @param {string} words
 * @param {boolean} on
 * @param {() => void} [changed]
 */
export function toggle(words, on, changed = () => {}) {
  const input = el("input", { class: "switch", type: "checkbox", role: "switch", ".checked": on, onchange: changed });
  return { input, element: el("label", { class: "check" }, input, el("span", {}, words)) };
}

/**
 * A radio group shown as segments.
 * @template {string} T
 * @param {string} name accessible name
 * @param {[T, string][]} choices values and labels
 * @param {T} chosen
 * @param {(value: T) => void} changed
 */
export function segmented(name, choices, chosen, changed) {
  fields += 1;
  const group = `choice-${fields}`;
  let value = chosen;
  const element = el(
    "div",
    { class: "segmented", role: "radiogroup", "aria-label": name },
    choices.map(([choice, words]) =>
      el(
        "label",
        {},
        el("input", {
          type: "radio",
          name: group,
          value: choice,
          ".checked": choice === chosen,
          onchange: () => {
            value = choice;
            changed(choice);
          },
        }),
        el("span", {}, words),
      ),
    ),
  );
  return {
    element,
    get value() {
      return value;
    },
  };
}
