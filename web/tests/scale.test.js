import assert from "node:assert/strict";
import { test } from "node:test";
import { fullNumber, linearScale, logScale, niceStep, shortNumber, tightScale } from "../charts/scale.js";

test("steps are 1, 2 or 5 times a power of ten", () => {
  assert.equal(niceStep(100, 5), 20);
  assert.equal(niceStep(0.7, 7), 0.1);
  assert.equal(niceStep(9, 3), 5);
});

test("a linear scale ends on round ticks without rounding errors", () => {
  const scale = linearScale(0.07, 0.93);
  assert.deepEqual(scale.ticks, [0, 0.2, 0.4, 0.6, 0.8, 1]);
  assert.equal(scale.place(0.5), 0.5);
  assert.equal(scale.value(0.25), 0.25);
});

test("a scale of a single value has some extent", () => {
  for (const value of [0, 5, -3]) {
    const { low, high } = linearScale(value, value);
    assert.ok(low < value && value < high);
  }
});

test("a tight scale ends at the data", () => {
  const scale = tightScale(13, 98);
  assert.deepEqual([scale.low, scale.high, scale.ticks], [13, 98, [20, 40, 60, 80]]);
});

test("a logarithmic scale places powers of ten evenly", () => {
  const scale = logScale(1, 10_000);
  assert.deepEqual(scale.ticks, [1, 10, 100, 1000, 10_000]);
  assert.ok(Math.abs(scale.place(100) - 0.5) < 1e-12);
  assert.ok(Math.abs(scale.value(0.25) - 10) < 1e-9);
});

test("numbers in short and in full", () => {
  const cases = /** @type {[number, string][]} */ ([
    [0, "0"],
    [12_500, "12.5k"],
    [0.034, "0.034"],
    [1.2e-7, "1.2e-7"],
    [3.2e6, "3.2M"],
    [4e9, "4G"],
  ]);
  for (const [number, text] of cases) assert.equal(shortNumber(number), text);
  assert.equal(fullNumber(1_234_567), "1,234,567");
  assert.equal(fullNumber(0.123456), "0.12346");
});
