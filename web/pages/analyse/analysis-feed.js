/** WebSocket to the server's analysis. Open requests are sent again after a lost connection. */

import { socket } from "../../lib/api.js";

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
 * @property {(message: string, player: string | undefined) => void} [error] of one player, or of the whole request
 */

export class AnalysisFeed {
  /** @type {import("../../lib/api.js").LiveSocket | null} */
  #line = null;
  #number = 0;
  /** @type {Map<string, { message: Record<string, unknown>, listener: Listener, left: number }>} by number, with the number of players still to finish */
  #open = new Map();

  /**
   * Searches a position until the time is up or it is stopped.
   * @param {Question & { players: string[], lines: number, seconds: number }} question
   * @param {Listener} listener
   * @returns {() => void} stops it
   */
  analyse(question, listener) {
    return this.#ask({ type: "analyse", ...question }, listener, question.players.length);
  }

  /**
   * Searches every position of a game.
   * @param {Question & { player: string, nodes: number }} question
   * @param {Listener} listener
   * @returns {() => void} stops it
   */
  review(question, listener) {
    return this.#ask({ type: "review", ...question }, listener, 1);
  }

  /**
   * @param {Record<string, unknown>} request
   * @param {Listener} listener
   * @param {number} left
   */
  #ask(request, listener, left) {
    this.#number += 1;
    const id = String(this.#number);
    const message = { ...request, id };
    this.#open.set(id, { message, listener, left });
    // Requests are sent once the socket is open.
    if (this.#line?.state === "open") this.#line.send(message);
    this.#line ??= socket("/analysis", (/** @type {Ludus.AnalysisMessage} */ answer) => this.#hear(answer), {
      onOpen: () => this.#askAgain(),
    });
    return () => this.#stop(id);
  }

  /** The server drops requests with the connection; players that have finished are not asked again. */
  #askAgain() {
    for (const { message, left } of this.#open.values()) if (left > 0) this.#line?.send(message);
  }

  /** @param {string} id */
  #stop(id) {
    if (!this.#open.delete(id)) return;
    if (this.#line?.state === "open") this.#line.send({ type: "stop", id });
  }

  /** @param {Ludus.AnalysisMessage} answer */
  #hear(answer) {
    const question = this.#open.get(String(answer.id));
    // A stopped request may still have an answer under way.
    if (!question) return;
    const { listener } = question;
    switch (answer.type) {
      case "analysis":
        return listener.analysis?.(answer.player, answer.analysis);
      case "ply":
        return listener.ply?.(answer);
      case "ownership":
        return listener.ownership?.(answer.owners);
      case "verdict":
        return listener.verdict?.(answer.words);
      case "done":
        question.left -= 1;
        return listener.done?.(answer.player ?? undefined);
      case "error":
        question.left = answer.player ? question.left - 1 : 0;
        return listener.error?.(answer.message, answer.player ?? undefined);
    }
  }

  close() {
    this.#open.clear();
    this.#line?.close();
    this.#line = null;
  }
}
