/** Requests for new games, which can be sent again. */

import { post } from "./api.js";
import { isUnanswered, Resend } from "./resend.js";

/**
 * Request for a new game. It has a key, so that it can be sent again without making two games.
 * @param {Ludus.NewGameInput} input
 * @param {(error: unknown) => void} onWaiting
 * @returns {Resend<Ludus.LiveGameView>}
 */
export function newGame(input, onWaiting) {
  // `crypto.randomUUID` exists only on pages served by this computer or over TLS.
  const words = crypto.getRandomValues(new Uint32Array(4));
  const key = [...words].map((word) => word.toString(16).padStart(8, "0")).join("");
  return new Resend(() => post("/tables", { ...input, request: key }), { isTemporary: isUnanswered, onWaiting });
}
