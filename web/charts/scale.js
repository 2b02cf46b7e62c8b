/** Scales of charts, linear and logarithmic, with round ticks. */

/**
 * @typedef {object} Scale
 * @property {number} low smallest value shown
 * @property {number} high largest value shown
 * @property {number[]} ticks values to mark
 * @property {(value: number) => number} place position of a value: 0 at `low`, 1 at `high`
 * @property {(share: number) => number} value the inverse of `place`
 */

/**
 * The step from tick to tick: 1, 2 or 5 times a power of ten.
 * @param {number} span
 * @param {number} wanted approximate number of steps
 */
export function niceStep(span, wanted) {
  const rough = span / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5].find((step) => step * power >= rough) ?? 10;
  return factor * power;
}

/**
 * A linear scale that ends on ticks.
 * @param {number} least
 * @param {number} most
 * @param {number} [wanted]
 * @returns {Scale}
 */
export function linearScale(least, most, wanted = 5) {
  const [from, to] = least === most ? widened(least) : [least, most];
  const step = niceStep(to - from, wanted);
  const low = Math.floor(from / step + 1e-9) * step;
  const high = Math.ceil(to / step - 1e-9) * step;
  const count = Math.round((high - low) / step);
  const ticks = Array.from({ length: count + 1 }, (_, index) => rounded(low + index * step, step));
  return scaleOf(low, high, ticks);
}

/**
 * A linear scale that ends at the data, with ticks inside.
 * @param {number} least
 * @param {number} most
 * @param {number} [wanted]
 * @returns {Scale}
 */
export function tightScale(least, most, wanted = 6) {
  if (least === most) return linearScale(least, most, wanted);
  const step = niceStep(most - least, wanted);
  const ticks = [];
  for (let index = Math.ceil(least / step - 1e-9); index * step <= most + step * 1e-9; index += 1) {
    ticks.push(rounded(index * step, step));
  }
  return scaleOf(least, most, ticks);
}

/**
 * A logarithmic scale of positive values.
 * @param {number} least
 * @param {number} most
 * @returns {Scale}
 */
export function logScale(least, most) {
  const [from, to] = least === most ? [least / 2, most * 2] : [least, most];
  const first = Math.log10(from);
  const span = Math.log10(to) - first;
  return {
    low: from,
    high: to,
    ticks: logTicks(from, to, span),
    place: (value) => (Math.log10(value) - first) / span,
    value: (share) => 10 ** (first + share * span),
  };
}

/**
 * @param {number} from
 * @param {number} to
 * @param {number} decades
 */
function logTicks(from, to, decades) {
  if (decades < 0.7) return tightScale(from, to, 4).ticks.filter((tick) => tick > 0);
  const factors = decades < 2 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil(decades / 6));
  const ticks = [];
  for (let power = Math.floor(Math.log10(from)); power <= Math.log10(to); power += stride) {
    for (const factor of factors) {
      const tick = rounded(factor * 10 ** power, 10 ** power);
      if (tick >= from * (1 - 1e-9) && tick <= to * (1 + 1e-9)) ticks.push(tick);
    }
  }
  return ticks;
}

/**
 * @param {number} low
 * @param {number} high
 * @param {number[]} ticks
 * @returns {Scale}
 */
function scaleOf(low, high, ticks) {
  return {
    low,
    high,
    ticks,
    place: (value) => (value - low) / (high - low),
    value: (share) => low + share * (high - low),
  };
}

/**
 * @param {number} value
 * @returns {[number, number]}
 */
function widened(value) {
  const margin = Math.abs(value) * 0.1 || 1;
  return [value - margin, value + margin];
}

/**
 * A tick without binary rounding errors.
 * @param {number} value
 * @param {number} step
 */
function rounded(value, step) {
  const digits = Math.min(15, Math.max(0, 1 - Math.floor(Math.log10(step))));
  return Number(value.toFixed(digits));
}

/**
 * A number in short form: 12.5k, 0.034, 1.2e-7.
 * @param {number} value
 */
export function shortNumber(value) {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1e9) return `${trimmed(value / 1e9, 3)}G`;
  if (size >= 1e6) return `${trimmed(value / 1e6, 3)}M`;
  if (size >= 1e4) return `${trimmed(value / 1e3, 3)}k`;
  if (size >= 1e-4) return trimmed(value, size >= 1000 ? 4 : 3);
  return value.toExponential(1);
}

/**
 * @param {number} value
 * @param {number} digits
 */
function trimmed(value, digits) {
  return String(Number(value.toPrecision(digits)));
}

/**
 * A number with five significant digits and thousands separators.
 * @param {number} value
 */
export function fullNumber(value) {
  if (Number.isInteger(value)) return value.toLocaleString("en");
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-4) return value.toExponential(3);
  return Number(value.toPrecision(5)).toLocaleString("en", { maximumFractionDigits: 8 });
}
