/**
 * Client of the server's API: JSON over HTTP, and WebSockets that reconnect. If the server requires a token, the
 * browser sends its session cookie, which scripts cannot read.
 */

import { announce } from "./dom.js";

const FIRST_RETRY_MS = 400;
const MAX_RETRY_MS = 8000;

try {
  // Where earlier versions kept the token, readable by scripts.
  localStorage.removeItem("ludus.token");
} catch {
  // Without storage there is nothing to remove.
}

/** A request that failed, with the server's message and status (0 if it could not be reached). */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status
   */
  constructor(message, status) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

/**
 * @param {string} path below /api, such as "/games"
 * @returns {string}
 */
function address(path) {
  return `/api${path}`;
}

/**
 * @param {string} method
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<Response>}
 */
async function request(method, path, body, signal) {
  /** @type {Record<string, string>} */
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await reach(address(path), {
    method,
    headers,
    signal,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  if (!response.ok) throw new ApiError(await refusal(response), response.status);
  return response;
}

/**
 * @param {string} url
 * @param {RequestInit} init
 */
async function reach(url, init) {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("The server cannot be reached. Is Ludus still running?", 0);
  }
}

/** @param {Response} response */
async function refusal(response) {
  try {
    const message = (await response.json())?.error?.message;
    if (typeof message === "string") return message;
  } catch {
    // Not the JSON of the API: fall back to the status.
  }
  return `The server answered ${response.status} ${response.statusText}`.trim();
}

/** @param {Response} response */
async function json(response) {
  return response.status === 204 ? null : response.json();
}

/**
 * @template T
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function get(path, signal) {
  return announce(request("GET", path, undefined, signal).then(json));
}

/**
 * @template T
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 * @returns {Promise<T>}
 */
export async function post(path, body = {}, signal) {
  return announce(request("POST", path, body, signal).then(json));
}

/** @param {string} path */
export async function remove(path) {
  await announce(request("DELETE", path));
}

/**
 * @param {string} path
 * @param {AbortSignal} [signal]
 * @returns {Promise<string>}
 */
export async function text(path, signal) {
  return announce(request("GET", path, undefined, signal).then((response) => response.text()));
}

/**
 * Downloads a response as a file of this name. A plain link would leave the page if the request failed.
 * @param {string} path
 * @param {string} name
 */
export async function download(path, name) {
  const file = await announce(request("GET", path).then((response) => response.blob()));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** @type {Ludus.GameCard[] | undefined} */
let gallery;

/**
 * The games and their players, which are part of the page.
 * @returns {Ludus.GameCard[]}
 */
export function games() {
  gallery ??= readGallery(JSON.parse(document.getElementById("gallery")?.textContent ?? ""));
  return gallery;
}

/**
 * @param {Ludus.EmbeddedGallery} brought
 * @returns {Ludus.GameCard[]}
 */
function readGallery({ options, games }) {
  return games.map((game) => ({
    ...game,
    players: game.players.map((player) => ({ ...player, options: player.options.map((number) => options[number]) })),
  }));
}

/**
 * @typedef {"connecting" | "open" | "lost" | "closed"} SocketState
 * @typedef {{send(message: unknown): void, close(): void, readonly state: SocketState}} LiveSocket
 */

/**
 * A WebSocket of JSON messages. It reconnects with exponential backoff; messages sent meanwhile are queued.
 * @template M
 * @param {string} path below /api
 * @param {(message: M) => void} onMessage
 * @param {{onOpen?: () => void, onState?: (state: SocketState) => void}} [listeners]
 * @returns {LiveSocket}
 */
export function socket(path, onMessage, listeners = {}) {
  /** @type {SocketState} */
  let state = "connecting";
  /** @type {string[]} */
  let waiting = [];
  let delay = FIRST_RETRY_MS;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {WebSocket} */
  let line;

  /** @param {SocketState} next */
  const become = (next) => {
    if (state === next) return;
    state = next;
    listeners.onState?.(next);
  };
  const opened = () => {
    delay = FIRST_RETRY_MS;
    become("open");
    listeners.onOpen?.();
    for (const message of waiting) line.send(message);
    waiting = [];
  };
  const lost = () => {
    if (state === "closed") return;
    become("lost");
    timer = setTimeout(connect, delay);
    delay = Math.min(delay * 2, MAX_RETRY_MS);
  };
  const connect = () => {
    line = new WebSocket(socketAddress(path));
    line.addEventListener("open", opened);
    line.addEventListener("message", (event) => state !== "closed" && onMessage(JSON.parse(event.data)));
    line.addEventListener("close", lost);
  };
  connect();
  return {
    get state() {
      return state;
    },
    send(message) {
      const text = JSON.stringify(message);
      if (state === "open") line.send(text);
      else if (state !== "closed") waiting.push(text);
    },
    close() {
      become("closed");
      clearTimeout(timer);
      line.close();
    },
  };
}

/** @param {string} path */
function socketAddress(path) {
  const url = new URL(address(path), location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
