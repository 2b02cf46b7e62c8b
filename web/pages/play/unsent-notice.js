/** Notice of a request that the server has not carried out yet and that is sent again. */

import { el, errorText, setText } from "../../lib/dom.js";

export class UnsentNotice {
  /** @type {() => void} */ #again = () => {};
  #words = el("span", {});
  #button = el("button", { class: "button", type: "button", onclick: () => this.#again() }, "Send again");
  element = el("div", { class: "unsent", role: "alert", hidden: true }, this.#words, this.#button);

  /**
   * @param {string} what such as "Your move"
   * @param {unknown} error
   * @param {() => void} again
   */
  show(what, error, again) {
    this.#again = again;
    this.element.hidden = false;
    setText(this.#words, `${what} is kept and sent again: ${errorText(error)}`);
  }

  hide() {
    this.element.hidden = true;
    setText(this.#words, "");
  }
}
