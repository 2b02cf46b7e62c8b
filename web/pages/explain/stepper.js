/** Buttons and a slider to go through the steps of a search. */

import { el, on, replace, setText } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { countWords } from "../../tree/words.js";

/** Steps a second. */
const SPEEDS_STEPS_PER_SECOND = [1, 2, 5, 20, 100];
const DEFAULT_STEPS_PER_SECOND = 5;
const MAX_STEPS_PER_SECOND = 30;

export class Stepper {
  step = 0;
  count = 0;
  speed = DEFAULT_STEPS_PER_SECOND;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;
  #slider = el("input", { type: "range", min: 0, max: 0, value: 0, step: 1, class: "stepper-slider" });
  #play = el("button", { type: "button", class: "button icon stepper-play" });
  #place = el("output", { class: "number stepper-place" });

  /**
   * @param {string} unit name of a step, such as "step" or "simulation"
   * @param {(step: number) => void} changed
   */
  constructor(unit, changed) {
    this.unit = unit;
    this.changed = changed;
    const speed = el(
      "select",
      {
        class: "select stepper-speed",
        "aria-label": "Speed",
        onchange: () => {
          this.speed = Number(speed.value);
          if (this.playing) this.play();
        },
      },
      ...SPEEDS_STEPS_PER_SECOND.map((rate) =>
        el("option", { value: rate, selected: rate === DEFAULT_STEPS_PER_SECOND }, `${rate}/s`),
      ),
    );
    const button = (
      /** @type {import("../../lib/icons.js").IconName} */ face,
      /** @type {string} */ label,
      /** @type {() => void} */ act,
    ) =>
      el(
        "button",
        { type: "button", class: "button quiet icon", title: label, "aria-label": label, onclick: act },
        icon(face),
      );
    on(this.#slider, "input", () => {
      this.pause();
      this.go(Number(this.#slider.value));
    });
    on(this.#play, "click", () => this.toggle());
    this.element = el(
      "div",
      { class: "stepper", role: "group", "aria-label": "Steps of the search" },
      el(
        "div",
        { class: "stepper-buttons" },
        button("first", "To the start (Home)", () => {
          this.pause();
          this.go(0);
        }),
        button("back", "One step back (,)", () => {
          this.pause();
          this.go(this.step - 1);
        }),
        this.#play,
        button("forward", "One step forward (.)", () => {
          this.pause();
          this.go(this.step + 1);
        }),
        button("last", "To the end (End)", () => {
          this.pause();
          this.go(this.count);
        }),
      ),
      this.#slider,
      this.#place,
      speed,
    );
    this.#paintPlay();
  }

  get playing() {
    return this.#timer !== undefined;
  }

  /**
   * @param {number} count
   * @param {number} step
   */
  reset(count, step) {
    this.pause();
    this.count = count;
    this.#slider.max = String(count);
    this.step = -1;
    this.go(step);
  }

  /** @param {number} step */
  go(step) {
    const next = Math.max(0, Math.min(this.count, step));
    if (next === this.step) return;
    this.step = next;
    this.#slider.value = String(next);
    this.#slider.setAttribute("aria-label", `${this.unit} ${next} of ${this.count}`);
    this.#slider.style.setProperty("--done", `${(100 * next) / Math.max(1, this.count)}%`);
    setText(this.#place, `${countWords(next)} / ${countWords(this.count)}`);
    this.changed(next);
  }

  play() {
    this.pause();
    if (this.step >= this.count) this.go(0);
    // Above the frame rate several steps are taken at once.
    const rate = Math.min(this.speed, MAX_STEPS_PER_SECOND);
    const stride = Math.round(this.speed / rate);
    this.#timer = setInterval(() => {
      this.go(this.step + stride);
      if (this.step >= this.count) this.pause();
    }, 1000 / rate);
    this.#paintPlay();
  }

  pause() {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#paintPlay();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /**
   * @param {KeyboardEvent} event
   * @returns {boolean} whether the key was handled
   */
  key(event) {
    const acts = /** @type {Record<string, () => void>} */ ({
      ",": () => this.go(this.step - 1),
      ".": () => this.go(this.step + 1),
      Home: () => this.go(0),
      End: () => this.go(this.count),
    });
    if (event.key === " ") this.toggle();
    else if (acts[event.key]) {
      this.pause();
      acts[event.key]();
    } else return false;
    return true;
  }

  #paintPlay() {
    const label = this.playing ? "Pause (space)" : "Play (space)";
    if (this.#play.title === label) return;
    replace(this.#play, icon(this.playing ? "pause" : "play"));
    this.#play.title = label;
    this.#play.setAttribute("aria-label", label);
  }
}
