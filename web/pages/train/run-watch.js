/** A training run, live: stage, curves, checkpoints, report. */

import { download, text } from "../../lib/api.js";
import { el, replace, setText, showError, table } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { gameLabel } from "../../lib/labels.js";
import { LiveWatch } from "../../lib/live-watch.js";
import { markdown } from "../../lib/markdown.js";
import { momentText, ProgressLine, showState } from "../../lib/state-badge.js";
import { RunCurves, sparkline } from "./run-curves.js";

/** @param {number} bytes */
function bytesText(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

export class RunWatch {
  #name;
  #gallery;
  #path;
  /** @type {LiveWatch<Ludus.RunView & { recipe?: string }>} */ #watch;
  #reported = "";
  #about = el("p", { class: "page-lead" });
  #stage = el("b", {});
  #note = el("span", { class: "muted" });
  #progress = new ProgressLine();
  #summary = el("p", { class: "run-summary" });
  #checksum = el("code", { class: "code" });
  #checksumLine = el("p", { class: "muted small" }, "Checksum ", this.#checksum);
  #compare = el("a", { class: "button" }, icon("analyse"), "Compare");
  #curves = new RunCurves();
  #files = el("tbody", {});
  #filesCard = el(
    "section",
    { class: "card" },
    el("h2", { class: "card-title" }, "Checkpoints"),
    table(["File", ["Size", "number"], "Written"], this.#files),
  );
  #filesShown = "";
  #report = el("section", { class: "card run-report", hidden: true });
  #recipe = el("pre", { class: "markdown-code" });
  #recipeCard = el("details", { class: "card disclosure" }, el("summary", {}, "Its recipe"), this.#recipe);
  element;

  /**
   * @param {string} name
   * @param {Ludus.GameCard[]} gallery
   */
  constructor(name, gallery) {
    this.#name = name;
    this.#gallery = gallery;
    this.#path = `/runs/${encodeURIComponent(name)}`;
    this.#watch = new LiveWatch(this.#path, "run", (run) => this.#show(run));
    this.#compare.href = `#/train/compare?${new URLSearchParams({ run: name })}`;
    this.element = el(
      "div",
      { class: "page run" },
      el("nav", { class: "crumbs", "aria-label": "Back" }, el("a", { href: "#/train" }, icon("back"), "All runs")),
      el(
        "header",
        { class: "contest-head" },
        el(
          "div",
          { class: "grow" },
          el("div", { class: "contest-title" }, el("h1", { class: "page-title" }, name), this.#watch.badge),
          this.#about,
        ),
        el("div", { class: "row" }, this.#compare, ...this.#watch.buttons),
      ),
      this.#watch.error,
      el(
        "section",
        { class: "card run-progress" },
        el("div", { class: "run-stage" }, this.#stage, this.#note),
        this.#progress.element,
        this.#summary,
        this.#checksumLine,
      ),
      this.#curves.element,
      this.#filesCard,
      this.#report,
      this.#recipeCard,
    );
  }

  start() {
    return this.#watch.start();
  }

  close() {
    this.#watch.close();
  }

  /** @param {Ludus.RunView & { recipe?: string }} run */
  #show(run) {
    this.#recipeCard.hidden = !run.recipe;
    setText(this.#recipe, run.recipe ?? "");
    setText(
      this.#about,
      [gameLabel(this.#gallery, run.game), run.kind_about, run.started ? `started ${momentText(run.started)}` : ""]
        .filter(Boolean)
        .join(" · "),
    );
    setText(
      this.#stage,
      run.state === "finished" ? "Done" : run.stage || (run.state === "running" ? "Preparing" : "Progress"),
    );
    setText(this.#note, run.note ?? "");
    this.#progress.show(run.done, run.total, "steps");
    this.#summary.hidden = !run.summary;
    setText(this.#summary, (run.summary ?? "").replaceAll("->", "→"));
    this.#checksumLine.hidden = !run.checksum;
    setText(this.#checksum, run.checksum ?? "");
    this.#curves.show([run]);
    this.#showFiles(run);
    if (run.state === "finished") this.#readReport(run.checksum ?? run.state);
  }

  /** @param {Ludus.RunView} run */
  #showFiles({ checkpoints, state }) {
    const key = JSON.stringify([checkpoints, state]);
    this.#filesCard.hidden = checkpoints.length === 0;
    if (key === this.#filesShown) return;
    this.#filesShown = key;
    replace(
      this.#files,
      checkpoints.map(({ file, bytes, at }) =>
        el(
          "tr",
          {},
          el("td", { class: "code" }, file),
          el("td", { class: "number" }, bytesText(bytes)),
          el("td", { class: "muted" }, momentText(at)),
        ),
      ),
    );
    this.#filesCard.querySelector(".run-download")?.remove();
    const weights = checkpoints.find(({ file }) => file.startsWith("weights."))?.file;
    if (state !== "finished" || !weights) return;
    this.#filesCard.append(
      el(
        "p",
        { class: "run-download" },
        el(
          "button",
          {
            class: "button",
            type: "button",
            onclick: () => download(`${this.#path}/file/weights`, `${this.#name}-${weights}`).catch(showError),
          },
          icon("download"),
          "What it learned",
        ),
      ),
    );
  }

  /** @param {string} version so that it is loaded only once */
  async #readReport(version) {
    if (this.#reported === version) return;
    this.#reported = version;
    try {
      const report = await text(`${this.#path}/file/report`);
      replace(this.#report, el("h2", { class: "card-title" }, "Report"), markdown(report));
      this.#report.hidden = false;
    } catch {
      this.#report.hidden = true;
    }
  }
}

/** A run in the list. */
export class RunCard {
  #gallery;
  #progress = new ProgressLine();
  #badge = el("span", {});
  #title = el("h3", {});
  #about = el("p", { class: "muted small" });
  #error = el("p", { class: "card-error small" });
  #curve = el("div", { class: "run-card-curve" });
  element = el(
    "a",
    { class: "card run-card" },
    el("div", { class: "row spread nowrap" }, this.#title, this.#badge),
    this.#about,
    this.#curve,
    this.#error,
    this.#progress.element,
  );

  /** @param {Ludus.GameCard[]} gallery */
  constructor(gallery) {
    this.#gallery = gallery;
  }

  /** @param {Ludus.RunView} run */
  show(run) {
    this.element.href = `#/train/run/${encodeURIComponent(run.name)}`;
    setText(this.#title, run.name);
    setText(this.#about, `${gameLabel(this.#gallery, run.game)} · ${run.kind_about}`);
    setText(this.#error, run.error ?? "");
    this.#error.hidden = !run.error;
    showState(this.#badge, run.state);
    replace(this.#curve, sparkline(run));
    this.#progress.show(run.done, run.total, run.stage ? `· ${run.stage}` : "");
  }
}
