import assert from "node:assert/strict";
import { test } from "node:test";
import { isUnanswered, isUnavailable, Resend } from "../lib/resend.js";

/** @param {number} status */
function failure(status) {
  return Object.assign(new Error(`status ${status}`), { status });
}

/**
 * A request that fails with these statuses, one after another, and is then answered.
 * @param {number[]} statuses
 */
function failing(statuses) {
  const left = [...statuses];
  return () => {
    const status = left.shift();
    return status === undefined ? Promise.resolve("done") : Promise.reject(failure(status));
  };
}

test("a request is sent again after growing delays", async () => {
  const delays = [];
  const seen = [];
  const resend = new Resend(failing([503, 0, 503, 503, 503, 503, 503]), {
    isTemporary: isUnanswered,
    onWaiting: (error) => seen.push(error.status),
    delay: (milliseconds) => {
      delays.push(milliseconds);
      return Promise.resolve();
    },
  });
  assert.equal(await resend.run(), "done");
  assert.deepEqual(delays, [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  assert.deepEqual(seen, [503, 0, 503, 503, 503, 503, 503]);
});

test("a refusal is final", async () => {
  const never = () => assert.fail("it does not wait");
  const refused = new Resend(failing([409]), { isTemporary: isUnanswered, onWaiting: never });
  await assert.rejects(refused.run(), { status: 409 });
  const unknown = new Resend(failing([0]), { isTemporary: isUnavailable, onWaiting: never });
  await assert.rejects(unknown.run(), { status: 0 });
});

test("a waiting request is sent again when told to, or never again", async () => {
  const endless = () => new Promise(() => {});
  const told = new Resend(failing([503, 503]), {
    isTemporary: isUnavailable,
    onWaiting: () => told.now(),
    delay: endless,
  });
  assert.equal(await told.run(), "done");
  const stopped = new Resend(failing([503]), {
    isTemporary: isUnavailable,
    onWaiting: () => stopped.stop(),
    delay: endless,
  });
  await assert.rejects(stopped.run(), { status: 503 });
});
