/** What the pages of a contest and of a run share: its state, what can be asked of it, and news while it goes on. */

import { get, post, socket } from "../lib/api.js";
import { el, setText, showError } from "../lib/dom.js";
import { icon } from "../lib/icons.js";
import { showState } from "./state-badge.js";

/** @template {{ state: Ludus.ContestState, error?: string | null }} T */
export class LiveWatch {
  #path;
  #kind;
  #show;
  /** @type {import("../lib/api.js").LiveSocket | null} */ #live = null;
  badge = el("span", {});
  error = el("p", { class: "contest-error", role: "alert", hidden: true });
  #stop = el("button", { class: "button danger", type: "button", onclick: () => void this.#ask("stop") }, icon("stop"), "Stop");
  #resume = el("button", { class: "button primary", type: "button", onclick: () => void this.#ask("resume") }, icon("play"), "Resume");
  buttons = [this.#resume, this.#stop];

  /**
   * @param {string} path below /api
   * @param {"contest" | "run"} kind what the server calls it in its messages
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

  /** Listens only while there is something to hear. @param {boolean} running */
  #listen(running) {
    if (!running) return this.close();
    this.#live ??= socket(`${this.#path}/live`, (/** @type {Record<string, any>} */ message) => {
      if (message.type === this.#kind) this.#take(message[this.#kind]);
    });
  }
}
