// The line to the server's searches: one request at a time, taken up again when the connection was lost.

import { socket } from "../lib/api.js";

/**
 * @typedef {object} Question
 * @property {string} game
 * @property {string} position
 * @property {string[]} moves
 */

/**
 * @typedef {object} Listener
 * @property {(player: string, analysis: Ludus.Analysis) => void} [analysis]
 * @property {(player: string | undefined) => void} [done]
 * @property {(ply: Extract<Ludus.AnalysisMessage, { type: "ply" }>) => void} [ply]
 * @property {(owners: number[]) => void} [ownership]
 * @property {(words: string) => void} [verdict]
 * @property {(message: string) => void} [error]
 */

export class AnalysisFeed {
  /** @type {import("../lib/api.js").LiveSocket | null} */
  #line = null;
  #number = 0;
  /** @type {Map<string, { message: Record<string, unknown>, listener: Listener }>} */
  #open = new Map();

  /**
   * Searches a position until the time is up or it is stopped.
   * @param {Question & { players: string[], lines: number, seconds: number }} question
   * @param {Listener} listener
   * @returns {() => void} stops it
   */
  analyse(question, listener) {
    return this.#ask({ type: "analyse", ...question }, listener);
  }

  /**
   * Searches every position of a game.
   * @param {Question & { player: string, nodes: number }} question
   * @param {Listener} listener
   * @returns {() => void} stops it
   */
  review(question, listener) {
    return this.#ask({ type: "review", ...question }, listener);
  }

  /**
   * @param {Record<string, unknown>} request
   * @param {Listener} listener
   */
  #ask(request, listener) {
    const id = String((this.#number += 1));
    const message = { ...request, id };
    this.#open.set(id, { message, listener });
    // What waits is asked when the line is open.
    if (this.#line?.state === "open") this.#line.send(message);
    this.#line ??= socket("/analysis", (/** @type {Ludus.AnalysisMessage} */ answer) => this.#hear(answer), { onOpen: () => this.#askAgain() });
    return () => this.#stop(id);
  }

  /** The server forgets what was asked when the line is lost. */
  #askAgain() {
    for (const { message } of this.#open.values()) this.#line?.send(message);
  }

  /** @param {string} id */
  #stop(id) {
    if (!this.#open.delete(id)) return;
    if (this.#line?.state === "open") this.#line.send({ type: "stop", id });
  }

  /** @param {Ludus.AnalysisMessage} answer */
  #hear(answer) {
    const listener = this.#open.get(String(answer.id))?.listener;
    // What was stopped may still have an answer on its way.
    if (!listener) return;
    switch (answer.type) {
      case "analysis": return listener.analysis?.(answer.player, answer.analysis);
      case "ply": return listener.ply?.(answer);
      case "ownership": return listener.ownership?.(answer.owners);
      case "verdict": return listener.verdict?.(answer.words);
      case "done": return listener.done?.(answer.player);
      case "error":
        this.#open.delete(String(answer.id));
        return listener.error?.(answer.message);
    }
  }

  close() {
    this.#open.clear();
    this.#line?.close();
    this.#line = null;
  }
}
