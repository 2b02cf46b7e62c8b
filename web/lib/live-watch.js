/** Shared by the pages of a contest and of a training run: state, stop and resume buttons, and live updates. */

import { get, post, socket } from "./api.js";
import { el, setText, showError } from "./dom.js";
import { icon } from "./icons.js";
import { showState } from "./state-badge.js";

/** @template {{ state: Ludus.Phase, error?: string | null }} T */
export class LiveWatch {
  #path;
  #kind;
  #show;
  /** @type {import("./api.js").LiveSocket | null} */ #live = null;
  badge = el("span", {});
  error = el("p", { class: "contest-error", role: "alert", hidden: true });
  #stop = el(
    "button",
    { class: "button danger", type: "button", onclick: () => void this.#ask("stop") },
    icon("stop"),
    "Stop",
  );
  #resume = el(
    "button",
    { class: "button primary", type: "button", onclick: () => void this.#ask("resume") },
    icon("play"),
    "Resume",
  );
  buttons = [this.#resume, this.#stop];

  /**
   * @param {string} path below /api
   * @param {"contest" | "run"} kind its key in the server's messages
   * @param {(news: T) => void} show
   */
  constructor(path, kind, show) {
    this.#path = path;
    this.#kind = kind;
    this.#show = show;
  }

  async start() {
    this.#take(await get(this.#path));
  }

  close() {
    this.#live?.close();
    this.#live = null;
  }

  /** @param {"stop" | "resume"} what */
  async #ask(what) {
    try {
      this.#take(await post(`${this.#path}/${what}`));
    } catch (error) {
      showError(error);
    }
  }

  /** @param {T} news */
  #take(news) {
    showState(this.badge, news.state);
    this.#stop.hidden = news.state !== "running";
    this.#resume.hidden = news.state !== "stopped" && news.state !== "failed";
    this.error.hidden = !news.error;
    setText(this.error, news.error ?? "");
    this.#show(news);
    this.#listen(news.state === "running");
  }

  /** Listens only while it is running. @param {boolean} running */
  #listen(running) {
    if (!running) return this.close();
    this.#live ??= socket(`${this.#path}/live`, (/** @type {Record<string, any>} */ message) => {
      if (message.type === this.#kind) this.#take(message[this.#kind]);
    });
  }
}
