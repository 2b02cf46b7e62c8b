/** A game clock, which counts down between two updates of the server. */

import { el, setText } from "../../lib/dom.js";

const LOW_TIME_MS = 20_000;

export class Clock {
  element = el("span", { class: "clock number", role: "timer" });
  #left = 0;
  #running = false;
  #since = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #timer;

  /**
   * @param {number | null} milliseconds time left
   * @param {boolean} running
   */
  set(milliseconds, running) {
    this.element.hidden = milliseconds === null;
    clearInterval(this.#timer);
    if (milliseconds === null) return;
    this.#left = milliseconds;
    this.#running = running;
    this.#since = performance.now();
    if (running) this.#timer = setInterval(() => this.#show(), 100);
    this.#show();
  }

  stop() {
    clearInterval(this.#timer);
  }

  #show() {
    const passed = this.#running ? performance.now() - this.#since : 0;
    const left = Math.max(0, this.#left - passed);
    setText(this.element, clockText(left));
    this.element.classList.toggle("running", this.#running);
    this.element.classList.toggle("low", left < LOW_TIME_MS);
  }
}

/**
 * Minutes and seconds; tenths when it is nearly over.
 * @param {number} milliseconds
 */
function clockText(milliseconds) {
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  const padded = (/** @type {number} */ number) => String(number).padStart(2, "0");
  return hours > 0 ? `${hours}:${padded(minutes % 60)}:${padded(whole % 60)}` : `${minutes}:${padded(whole % 60)}`;
}
