/** Pan and zoom of a drawing by drag, pinch and wheel, and animated scrolling. */

import { on } from "../lib/dom.js";

/** @typedef {{ x: number, y: number }} Point */

const MIN_SCALE = 0.0002;
const MAX_SCALE = 2.5;
/** Levels are not scaled below this, even if leaves are. */
const MIN_LEVEL_SCALE = 0.42;
const SCROLL_TIME_MS = 200;
/** Pointer movement in pixels up to which a press is a click. */
const CLICK_THRESHOLD_PX = 4;

export class Viewport {
  x = 0;
  y = 0;
  scale = 1;
  /** Smallest scale along each axis: a tree of many leaves but few levels does not get thinner. */
  floor = { x: 0, y: 0 };
  dragged = false;
  #width = 0;
  #height = 0;
  /** @type {Map<number, Point>} */
  #pointers = new Map();
  /** @type {Point} */
  #pressedAt = { x: 0, y: 0 };
  /** @type {{ from: Point, to: Point, start: number } | null} */
  #glide = null;

  /**
   * @param {SVGSVGElement} element
   * @param {() => void} changed
   * @param {(point: Point) => void} clicked called with a point of the drawing
   */
  constructor(element, changed, clicked) {
    this.element = element;
    this.changed = changed;
    this.clicked = clicked;
  }

  /** @returns {() => void} stops listening */
  listen() {
    const { element } = this;
    const off = [
      on(element, "pointerdown", (/** @type {PointerEvent} */ event) => this.#press(event)),
      on(element, "pointermove", (/** @type {PointerEvent} */ event) => this.#move(event)),
      on(element, "pointerup", (/** @type {PointerEvent} */ event) => this.#release(event)),
      on(element, "pointercancel", (/** @type {PointerEvent} */ event) => this.#release(event)),
      on(element, "wheel", (/** @type {WheelEvent} */ event) => this.#wheel(event), { passive: false }),
    ];
    return () => {
      for (const stop of off) stop();
    };
  }

  get scaleX() {
    return Math.max(this.scale, this.floor.x);
  }

  get scaleY() {
    return Math.max(this.scale, this.floor.y);
  }

  /** @param {Point} point on the screen */
  #inDrawing(point) {
    return { x: point.x / this.scaleX + this.x, y: point.y / this.scaleY + this.y };
  }

  measure() {
    const box = this.element.getBoundingClientRect();
    [this.#width, this.#height] = [box.width, box.height];
  }

  /** The visible part of the drawing. */
  visible() {
    this.#advance();
    return { x: this.x, y: this.y, width: this.#width / this.scaleX, height: this.#height / this.scaleY };
  }

  /** Position and scale of the drawing on the screen. */
  frame() {
    return { x: this.x, y: this.y, scaleX: this.scaleX, scaleY: this.scaleY, width: this.#width, height: this.#height };
  }

  transform() {
    return `scale(${this.scaleX} ${this.scaleY}) translate(${-this.x} ${-this.y})`;
  }

  /** @param {{ width: number, height: number }} box */
  scaleToFit(box) {
    this.measure();
    return Math.min(this.#width / box.width, this.#height / box.height);
  }

  /**
   * @param {{ x: number, y: number, width: number, height: number }} box
   * @param {number} smallest scale; if the box does not fit, the root stays in view
   * @param {Point} root
   * @param {"down" | "right"} orientation
   * @returns {boolean} false if the element has no size yet
   */
  fit(box, smallest, root, orientation) {
    this.measure();
    if (this.#width < 10 || this.#height < 10) return false;
    this.#glide = null;
    const [fitX, fitY] = [this.#width / box.width, this.#height / box.height];
    const levels = Math.min(MIN_LEVEL_SCALE, orientation === "right" ? fitX : fitY);
    this.floor = orientation === "right" ? { x: levels, y: 0 } : { x: 0, y: levels };
    this.scale = Math.max(MIN_SCALE, smallest, Math.min(fitX, fitY, 1.15));
    const [width, height] = [this.#width / this.scaleX, this.#height / this.scaleY];
    this.x = box.x + box.width / 2 - width / 2;
    this.y = box.y + box.height / 2 - height / 2;
    if (orientation === "right") {
      if (box.width > width) this.x = box.x;
      if (box.height > height) this.y = root.y - height / 2;
    } else {
      if (box.height > height) this.y = box.y;
      if (box.width > width) this.x = root.x - width / 2;
    }
    return true;
  }

  /**
   * @param {number} factor
   * @param {Point} [at] point on the screen; the centre by default
   */
  zoomAt(factor, at = { x: this.#width / 2, y: this.#height / 2 }) {
    this.#glide = null;
    const before = this.#inDrawing(at);
    this.scale = Math.max(MIN_SCALE, Math.min(MAX_SCALE, this.scale * factor));
    const after = this.#inDrawing(at);
    this.x += before.x - after.x;
    this.y += before.y - after.y;
    this.changed();
  }

  /**
   * @param {number} dx in the drawing
   * @param {number} dy
   */
  shift(dx, dy) {
    this.#glide = null;
    this.x += dx;
    this.y += dy;
  }

  /**
   * Scrolls until a node is in view.
   * @param {Point} point
   * @param {{ width: number, height: number }} size
   */
  keepInView(point, size) {
    const [width, height] = [this.#width / this.scaleX, this.#height / this.scaleY];
    if (width < 1 || height < 1) return;
    const along = (
      /** @type {number} */ low,
      /** @type {number} */ extent,
      /** @type {number} */ at,
      /** @type {number} */ room,
    ) => {
      const margin = Math.min(Math.max(room, extent / 5), extent / 3);
      if (at - margin < low) return at - margin;
      return at + margin > low + extent ? at + margin - extent : low;
    };
    const to = {
      x: along(this.x, width, point.x, size.width * 0.8),
      y: along(this.y, height, point.y, size.height * 1.2),
    };
    if (to.x === this.x && to.y === this.y) return;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (calm) [this.x, this.y] = [to.x, to.y];
    else this.#glide = { from: { x: this.x, y: this.y }, to, start: performance.now() };
    this.changed();
  }

  gliding() {
    return this.#glide !== null;
  }

  #advance() {
    if (!this.#glide) return;
    const { from, to, start } = this.#glide;
    const time = Math.min(1, (performance.now() - start) / SCROLL_TIME_MS);
    const progress = 1 - (1 - time) ** 3;
    this.x = from.x + (to.x - from.x) * progress;
    this.y = from.y + (to.y - from.y) * progress;
    if (time === 1) this.#glide = null;
  }

  /** @param {MouseEvent} event */
  #local(event) {
    const box = this.element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** @param {PointerEvent} event */
  #press(event) {
    if (event.button !== 0) return;
    this.#pointers.set(event.pointerId, this.#local(event));
    if (this.#pointers.size === 1) {
      this.dragged = false;
      this.#pressedAt = this.#local(event);
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const now = this.#local(event);
    const far = Math.hypot(now.x - this.#pressedAt.x, now.y - this.#pressedAt.y) > CLICK_THRESHOLD_PX;
    if (!this.dragged && !far && this.#pointers.size === 1) return;
    if (!this.dragged) {
      this.dragged = true;
      this.element.setPointerCapture(event.pointerId);
    }
    const other = [...this.#pointers].find(([pointer]) => pointer !== event.pointerId)?.[1];
    this.#pointers.set(event.pointerId, now);
    this.#glide = null;
    if (other) return this.#pinch(before, now, other);
    this.x -= (now.x - before.x) / this.scaleX;
    this.y -= (now.y - before.y) / this.scaleY;
    this.changed();
  }

  /**
   * @param {Point} before
   * @param {Point} now
   * @param {Point} other
   */
  #pinch(before, now, other) {
    const old = Math.hypot(before.x - other.x, before.y - other.y);
    const distance = Math.hypot(now.x - other.x, now.y - other.y);
    this.zoomAt(distance / Math.max(1, old), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  }

  /** @param {PointerEvent} event */
  #release(event) {
    if (!this.#pointers.delete(event.pointerId)) return;
    if (this.dragged || event.type !== "pointerup") return;
    this.clicked(this.#inDrawing(this.#local(event)));
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    event.preventDefault();
    const lines = event.deltaMode === 1 ? 24 : 1;
    this.zoomAt(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), this.#local(event));
  }
}
