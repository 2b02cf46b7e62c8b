/** Talks to the server: JSON over HTTP, and WebSockets that come back by themselves. */

import { announce } from "./dom.js";

const TOKEN_KEY = "ludus.token";
const FIRST_RETRY = 400;
const LAST_RETRY = 8000;

/** What the server refused, with its words and its status (0: it could not be reached). */
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

const token = readToken();

/** Takes the token from `?token=…` once and keeps it, so that it does not stay in the address bar. */
function readToken() {
  const address = new URL(location.href);
  const given = address.searchParams.get("token");
  try {
    if (given) {
      localStorage.setItem(TOKEN_KEY, given);
      address.searchParams.delete("token");
      history.replaceState(null, "", address);
    }
    return given ?? localStorage.getItem(TOKEN_KEY);
  } catch {
    return given;
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
  if (token) headers.Authorization = `Bearer ${token}`;
  const response = await reach(address(path), {
    method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body),
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
    // Not the JSON of the API: the status has to do.
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
 * Saves what the server has there as a file of this name. A link could not bring the token along.
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

/** @type {Ludus.GameInfo[] | undefined} */
let gallery;

/**
 * The games and their players, which the page brought along.
 * @returns {Ludus.GameInfo[]}
 */
export function games() {
  gallery ??= readGallery(JSON.parse(document.getElementById("gallery")?.textContent ?? ""));
  return gallery;
}

/**
 * @param {Ludus.Gallery} brought
 * @returns {Ludus.GameInfo[]}
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
 * A WebSocket of JSON messages. A lost connection is tried again, more and more slowly; what is sent meanwhile waits.
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
  let delay = FIRST_RETRY;
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
    delay = FIRST_RETRY;
    become("open");
    listeners.onOpen?.();
    for (const message of waiting) line.send(message);
    waiting = [];
  };
  const lost = () => {
    if (state === "closed") return;
    become("lost");
    timer = setTimeout(connect, delay);
    delay = Math.min(delay * 2, LAST_RETRY);
  };
  const connect = () => {
    line = new WebSocket(socketAddress(path));
    line.addEventListener("open", opened);
    line.addEventListener("message", (event) => state !== "closed" && onMessage(JSON.parse(event.data)));
    line.addEventListener("close", lost);
  };
  connect();
  return {
    get state() { return state; },
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
  if (token) url.searchParams.set("token", token);
  return url.href;
}

/**
 * Reads `name:key=value,…` into its parts.
 * @param {string} spec
 * @returns {{id: string, options: Record<string, string>}}
 */
export function readSpec(spec) {
  const colon = spec.indexOf(":");
  if (colon < 0) return { id: spec, options: {} };
  /** @type {Record<string, string>} */
  const options = {};
  let last = "";
  for (const part of spec.slice(colon + 1).split(",")) {
    const equals = part.indexOf("=");
    if (equals < 0 && last) options[last] += `,${part}`;
    else options[last = part.slice(0, equals)] = part.slice(equals + 1);
  }
  return { id: spec.slice(0, colon), options };
}

/**
 * The inverse of {@link readSpec}.
 * @param {string} id
 * @param {Record<string, string | number>} options
 */
export function writeSpec(id, options) {
  const parts = Object.entries(options).map(([key, value]) => `${key}=${value}`);
  return parts.length ? `${id}:${parts.join(",")}` : id;
}
