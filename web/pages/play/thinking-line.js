/** The opponent's analysis while it is thinking: depth, score, line. Shown only on request. */

import { el, setText } from "../../lib/dom.js";
import { lineWords } from "../../lib/names.js";

const numbers = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export class ThinkingLine {
  #figures = el("span", { class: "number" });
  #score = el("strong", { class: "thinking-score number" });
  #line = el("span", { class: "thinking-moves" });
  element = el(
    "div",
    { class: "thinking-line", hidden: true, "aria-label": "The opponent’s analysis" },
    el("div", { class: "row spread" }, this.#score, this.#figures),
    this.#line,
  );

  /** @param {boolean} shown */
  set shown(shown) {
    this.element.hidden = !shown;
    if (shown && !this.#line.textContent) setText(this.#line, "The opponent’s analysis appears here.");
  }

  /**
   * @param {Ludus.Analysis} analysis
   * @param {Ludus.RecordFormat} format
   */
  set(analysis, format) {
    this.element.classList.add("live");
    setText(this.#score, analysis.score_words || "…");
    setText(
      this.#figures,
      `depth ${analysis.depth} · ${numbers.format(analysis.nodes)} nodes · ${analysis.seconds.toFixed(1)} s`,
    );
    const line = lineWords(analysis, format);
    // A player that does not search has only a move.
    setText(this.#line, line.length > 0 ? line.join(" ") : (analysis.best ?? ""));
  }

  /** The last analysis stays, dimmed. */
  rest() {
    this.element.classList.remove("live");
  }
}
