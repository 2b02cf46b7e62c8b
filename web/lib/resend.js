/** Requests that are sent again until the server answers them. */

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 8000;
/** Status of a request that could not be carried out now, such as a change that could not be saved. */
const UNAVAILABLE = 503;
/** Status of a request that did not reach the server, or whose answer did not reach us. */
const NO_ANSWER = 0;

/**
 * Whether a request has failed for a while only, and has changed nothing.
 * @param {unknown} error
 */
export function isUnavailable(error) {
  return statusOf(error) === UNAVAILABLE;
}

/**
 * Whether a request has failed for a while only, but may have changed something: it must be one that the server recognises when it
 * is sent again.
 * @param {unknown} error
 */
export function isUnanswered(error) {
  return isUnavailable(error) || statusOf(error) === NO_ANSWER;
}

/** @param {unknown} error */
function statusOf(error) {
  return error instanceof Error && "status" in error ? error.status : null;
}

/**
 * A request that is sent again, after growing delays or when told to, for as long as it fails for a while only.
 * @template T
 */
export class Resend {
  #request;
  #isTemporary;
  #onWaiting;
  #delay;
  /** Ends the current delay. */
  #wake = () => {};
  #isStopped = false;

  /**
   * @param {() => Promise<T>} request
   * @param {object} options
   * @param {(error: unknown) => boolean} options.isTemporary
   * @param {(error: unknown) => void} options.onWaiting called after every failure, before the delay
   * @param {(milliseconds: number) => Promise<void>} [options.delay]
   */
  constructor(request, { isTemporary, onWaiting, delay = sleep }) {
    this.#request = request;
    this.#isTemporary = isTemporary;
    this.#onWaiting = onWaiting;
    this.#delay = delay;
  }

  /**
   * The answer to the request, or the error that is not temporary.
   * @returns {Promise<T>}
   */
  async run() {
    for (let delay = FIRST_DELAY_MS; ; delay = Math.min(2 * delay, MAX_DELAY_MS)) {
      try {
        return await this.#request();
      } catch (error) {
        if (this.#isStopped || !this.#isTemporary(error)) throw error;
        /** @type {Promise<void>} */
        const woken = new Promise((wake) => {
          this.#wake = wake;
        });
        this.#onWaiting(error);
        await Promise.race([this.#delay(delay), woken]);
        if (this.#isStopped) throw error;
      }
    }
  }

  /** Sends the request again at once, if it waits. */
  now() {
    this.#wake();
  }

  /** Sends the request no more. */
  stop() {
    this.#isStopped = true;
    this.#wake();
  }
}

/**
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function sleep(milliseconds) {
  return new Promise((wake) => setTimeout(wake, milliseconds));
}
