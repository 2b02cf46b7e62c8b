/** Play page: `#/play/ID` is a game, `#/play` sets one up: game, opponent, time. The defaults are ready to play. */

import { field, segmented } from "../forms/fields.js";
import { gamePicker } from "../forms/game-picker.js";
import { friendCard, playerCard } from "../forms/player-card.js";
import { games as gallery, get } from "../lib/api.js";
import { announce, el, errorText, painted, replace, setText, toast } from "../lib/dom.js";
import { emblem, humanEmblem, icon } from "../lib/icons.js";
import { capital, gameSettings, playerName, playerSettings } from "../lib/names.js";
import { checkOptions, loadPreferences, preferencesFor, readClock, savePreferences } from "../lib/preferences.js";
import { readSpec, writeSpec } from "../lib/specs.js";

const CLOCKS = [
  ["", "No clock"],
  ["60+1", "1 minute + 1 second a move"],
  ["180+2", "3 minutes + 2 seconds"],
  ["300+3", "5 minutes + 3 seconds"],
  ["600+5", "10 minutes + 5 seconds"],
  ["1800+0", "30 minutes"],
];
const THINKING = [
  [300, "Quick: up to 0.3 s"],
  [1000, "Up to 1 second a move"],
  [3000, "Up to 3 seconds"],
  [10_000, "Up to 10 seconds"],
  [30_000, "Up to 30 seconds"],
];
const MAX_RECENT_GAMES = 6;

/**
 * @param {HTMLElement} main
 * @param {Ludus.Route} route
 * @returns {Promise<() => void>}
 */
export async function show(main, route) {
  const [table] = route.path;
  if (table) return (await import("./play/game.js")).showGame(main, table);
  return showSetup(main, route.query);
}

/**
 * @param {HTMLElement} main
 * @param {URLSearchParams} query may name game and opponent, as links of the Learn pages do
 * @returns {() => void}
 */
function showSetup(main, query) {
  const setup = new Setup(gallery(), query);
  main.append(setup.element);
  // Layout is read when the browser is about to compute it anyway.
  requestAnimationFrame(() => setup.revealChosen());
  // The list of games to continue is optional.
  setup.showRecent().catch(() => {});
  return () => setup.close();
}

class Setup {
  #games;
  #preferences;
  /** @type {Ludus.GameCard} */ #game;
  #opponents = el("div", { class: "player-gallery", role: "radiogroup", "aria-label": "Opponent" });
  #opponentHeading = el("h2", { class: "setup-heading" }, "Opponent");
  #pairing = el("div", { class: "pairing" });
  #about = el("div", { class: "opponent-about" });
  #level = el("div", { class: "field" });
  #rival = el("div", {});
  #gameOptions = disclosure("Rules and board");
  #opponentOptions = disclosure("Opponent’s settings");
  /** Options are collapsed at first: the page is painted without them. */
  #forms = announce(painted().then(() => import("../forms/option-form.js")));
  /** Loaded before it is needed, when the server may be gone. */
  #newGame = announce(painted().then(() => import("../lib/new-game.js")));
  #thinking = el("div", {});
  #start = el("textarea", {
    class: "input",
    rows: 4,
    id: "start-text",
    spellcheck: "false",
    autocomplete: "off",
    placeholder: "A position (FEN), moves, or a game record (PGN, PDN, SGF)",
  });
  #error = el("p", { class: "field-error", role: "alert" });
  #go = el(
    "button",
    { class: "button primary large wide", type: "button", onclick: () => void this.#play() },
    icon("play", 22),
    "Play",
  );
  #recent = el("section", { class: "recent", hidden: true });
  /** Request for a game that waits to be sent again. @type {import("../lib/resend.js").Resend<Ludus.LiveGameView> | null} */
  #waiting = null;
  element;

  /**
   * @param {Ludus.GameCard[]} games
   * @param {URLSearchParams} query
   */
  constructor(games, query) {
    this.#games = games;
    this.#preferences = loadPreferences(games);
    this.#takeQuery(query);
    this.#game = this.#find(this.#preferences.game);
    this.element = this.#build();
    this.#gameChosen(this.#game);
  }

  /** @param {string} id */
  #find(id) {
    return this.#games.find((game) => game.id === id) ?? this.#games[0];
  }

  get #mine() {
    return preferencesFor(this.#preferences, this.#game);
  }

  get #opponent() {
    return this.#game.players.find((player) => player.id === this.#mine.opponent) ?? null;
  }

  get #settings() {
    return this.#mine.settings[this.#mine.opponent] ?? {};
  }

  /** @param {Record<string, string>} settings */
  #setSettings(settings) {
    this.#mine.settings[this.#mine.opponent] = settings;
  }

  /** @param {URLSearchParams} query */
  #takeQuery(query) {
    const wanted = readSpec(query.get("game") ?? "");
    const game = this.#games.find((entry) => entry.id === wanted.id);
    if (!game) return wanted.id ? notUnderstood([wanted.id]) : undefined;
    this.#preferences.game = game.id;
    const mine = preferencesFor(this.#preferences, game);
    const { known, unknown } = checkOptions(wanted.options, game.options);
    if (Object.keys(known).length > 0) mine.options = known;
    return notUnderstood([...unknown, ...this.#takeOpponent(query.get("opponent") ?? "", game)]);
  }

  /**
   * @param {string} spec
   * @param {Ludus.GameCard} game
   * @returns {string[]} options that were not recognised
   */
  #takeOpponent(spec, game) {
    const { id, options } = readSpec(spec);
    const player = game.players.find((entry) => entry.id === id);
    if (!player) return id ? [id] : [];
    const { known, unknown } = checkOptions(options, player.options);
    const mine = preferencesFor(this.#preferences, game);
    mine.opponent = id;
    mine.settings[id] = known;
    return unknown;
  }

  #build() {
    const seating = segmented(
      "Who moves first",
      [
        ["first", "You"],
        ["second", "Opponent"],
        ["random", "Chance"],
        ["watch", "Watch"],
      ],
      this.#preferences.seating,
      (value) =>
        this.#changed(() => {
          this.#preferences.seating = value;
        }),
    );
    const clock = choice(CLOCKS, this.#preferences.clock, (value) =>
      this.#changed(() => {
        this.#preferences.clock = value;
      }),
    );
    return el(
      "div",
      { class: "page play-setup" },
      el(
        "div",
        { class: "setup-layout" },
        el(
          "div",
          { class: "setup-main" },
          el(
            "header",
            {},
            el("h1", { class: "page-title" }, "What shall we play?"),
            el("p", { class: "page-lead" }, "Pick a game and an opponent. Or just press Play."),
          ),
          el(
            "section",
            {},
            el("h2", { class: "setup-heading" }, "Game"),
            gamePicker(this.#games, this.#preferences.game, (game) => this.#gameChosen(game)),
          ),
          el("section", {}, this.#opponentHeading, this.#opponents),
          this.#recent,
        ),
        el(
          "aside",
          { class: "card setup-panel", "aria-label": "Your game" },
          this.#pairing,
          this.#about,
          this.#level,
          el("div", { class: "field" }, el("span", { class: "label" }, "Who moves first"), seating.element),
          this.#rival,
          field("Clock", clock),
          this.#thinking,
          el(
            "div",
            { class: "setup-more" },
            this.#gameOptions,
            this.#opponentOptions,
            disclosure(
              "Start from a position or a game",
              el("label", { class: "field" }, el("span", { class: "label" }, "Position or record"), this.#start),
            ),
          ),
          el("div", { class: "setup-go" }, this.#error, this.#go),
        ),
      ),
    );
  }

  /** @param {Ludus.GameCard} game */
  #gameChosen(game) {
    this.#game = game;
    this.#preferences.game = game.id;
    void this.#showOptions(this.#gameOptions, game.options, this.#mine.options, (values) => {
      this.#mine.options = values;
    });
    this.#showOpponents();
    this.#opponentChosen(this.#mine.opponent);
  }

  #showOpponents() {
    const suggested = readSpec(this.#game.suggested).id;
    // The server lists the simplest players first; here the strongest come first.
    const players = [...this.#game.players].reverse();
    players.sort((one, other) => Number(other.id === suggested) - Number(one.id === suggested));
    const cards = players.map((player) =>
      playerCard(player, player.id === this.#mine.opponent, () => this.#opponentChosen(player.id)),
    );
    cards.splice(
      1,
      0,
      friendCard(this.#mine.opponent === "", () => this.#opponentChosen("")),
    );
    replace(this.#opponents, cards);
  }

  /** @param {string} id */
  #opponentChosen(id) {
    this.#changed(() => {
      this.#mine.opponent = id;
    });
    const player = this.#opponent;
    const options = player?.options.filter((option) => option.name !== player.levels?.option) ?? [];
    // The level has its own slider, which may have moved since the form was filled.
    const keep = (/** @type {Record<string, string>} */ values) =>
      this.#setSettings({ ...values, ...this.#chosenLevel(player) });
    void this.#showOptions(this.#opponentOptions, options, this.#settings, keep);
    this.#showLevel(player);
    this.#showAbout(player);
  }

  /**
   * @param {HTMLElement} box
   * @param {Ludus.OptionView[]} options
   * @param {Record<string, string>} values
   * @param {(values: Record<string, string>) => void} keep
   */
  async #showOptions(box, options, values, keep) {
    box.hidden = options.length === 0;
    const { OptionForm } = await this.#forms;
    const form = new OptionForm();
    form.options = options;
    form.values = values;
    form.addEventListener("change", () => this.#changed(() => keep(form.values)));
    box.querySelector("ludus-options")?.remove();
    box.append(form);
  }

  /**
   * @param {Ludus.PlayerCard | null} player
   * @returns {Record<string, string>} the option that sets the level, if one was chosen
   */
  #chosenLevel(player) {
    const name = player?.levels?.option ?? "";
    return name in this.#settings ? { [name]: this.#settings[name] } : {};
  }

  /** @param {Ludus.PlayerCard | null} player */
  #showLevel(player) {
    const levels = player?.levels;
    this.#level.hidden = !levels;
    if (!levels) return;
    const value = Number(this.#settings[levels.option] ?? levels.default);
    const shown = el("output", { class: "level-value number", for: "level" }, value);
    const slider = el("input", {
      type: "range",
      id: "level",
      min: levels.min,
      max: levels.max,
      step: 1,
      ".value": String(value),
    });
    slider.addEventListener("input", () => {
      setText(shown, slider.value);
      this.#changed(() => this.#setSettings({ ...this.#settings, [levels.option]: slider.value }));
    });
    replace(
      this.#level,
      el("div", { class: "row spread" }, el("label", { class: "label", for: "level" }, "Level"), shown),
      slider,
      el("div", { class: "row spread hint" }, el("span", {}, "Beginner"), el("span", {}, "All options")),
    );
  }

  /** @param {Ludus.PlayerCard | null} player */
  #showAbout(player) {
    this.#about.hidden = !player;
    if (!player) return;
    replace(
      this.#about,
      el("p", { class: "small" }, player.idea || player.about),
      player.knows.length > 0
        ? el(
            "p",
            { class: "row" },
            player.knows.map((thing) => el("span", { class: "badge" }, thing)),
          )
        : null,
      el(
        "p",
        { class: "small" },
        el(
          "a",
          {
            href: `#/learn/${player.id === "engine" ? `engine-${this.#game.id}` : player.id}`,
            title: player.source ?? "",
          },
          "How it works, and its source",
        ),
      ),
    );
  }

  /** @param {() => void} change */
  #changed(change) {
    change();
    savePreferences(this.#preferences);
    setText(this.#error, "");
    this.#showPairing();
    this.#showRival();
    this.#showThinking();
  }

  #showPairing() {
    const spec = this.#opponentSpec();
    const words = spec === null ? ["A friend", "at this board"] : [playerName(spec), playerSettings(spec)];
    const settings = gameSettings(writeSpec(this.#game.id, this.#mine.options));
    const you =
      this.#preferences.seating === "watch"
        ? [
            emblem(readSpec(this.#rivalSpec()).id, 48),
            el("span", { class: "pairing-name" }, playerName(this.#rivalSpec())),
          ]
        : [humanEmblem(48), el("span", { class: "pairing-name" }, "You")];
    replace(
      this.#pairing,
      el(
        "p",
        { class: "pairing-game" },
        this.#game.name,
        settings ? el("span", { class: "muted" }, ` · ${settings}`) : null,
      ),
      el("p", { class: "pairing-about" }, capital(this.#game.about)),
      el("div", { class: "pairing-seat" }, you),
      el("span", { class: "pairing-against", "aria-label": "against" }, "v"),
      el(
        "div",
        { class: "pairing-seat" },
        spec === null ? humanEmblem(48) : emblem(readSpec(spec).id, 48),
        el("span", { class: "pairing-name" }, words[0]),
        el("span", { class: "hint" }, words[1]),
      ),
    );
  }

  #showRival() {
    this.#rival.hidden = this.#preferences.seating !== "watch";
    if (this.#rival.hidden || this.#rival.dataset.game === this.#game.id) return;
    this.#rival.dataset.game = this.#game.id;
    const players = this.#game.players.map(
      (player) => /** @type {[string, string]} */ ([player.id, playerName(player.id)]),
    );
    const select = choice(players, readSpec(this.#rivalSpec()).id, (value) =>
      this.#changed(() => {
        this.#preferences.rival = value;
      }),
    );
    replace(this.#rival, field("Moves first", select));
  }

  #showThinking() {
    const timed =
      this.#preferences.clock === "" && (this.#mine.opponent !== "" || this.#preferences.seating === "watch");
    this.#thinking.hidden = !timed;
    if (this.#thinking.childElementCount > 0) return;
    const select = choice(THINKING, String(this.#preferences.thinking), (value) =>
      this.#changed(() => {
        this.#preferences.thinking = Number(value);
      }),
    );
    replace(this.#thinking, field("Opponent thinks", select));
  }

  #opponentSpec() {
    return this.#mine.opponent === "" ? null : writeSpec(this.#mine.opponent, this.#settings);
  }

  #rivalSpec() {
    const known = this.#game.players.some((player) => player.id === this.#preferences.rival);
    return known ? this.#preferences.rival : this.#game.suggested;
  }

  /** @returns {Promise<Ludus.NewGameInput>} */
  async #request() {
    const { seating, clock, thinking } = this.#preferences;
    const opponent = this.#opponentSpec();
    const me = seating === "watch" ? this.#rivalSpec() : null;
    const second = seating === "second" || (seating === "random" && Math.random() < 0.5);
    const timed = readClock(clock);
    const game = writeSpec(this.#game.id, this.#mine.options);
    const start = this.#start.value.trim();
    return {
      game,
      first: second ? opponent : me,
      second: second ? me : opponent,
      ...(timed ? { clock: timed } : { limits: { time_ms: thinking } }),
      ...(start ? (await import("../lib/records.js")).startFrom(game, start) : {}),
      seed: Math.floor(Math.random() * 2 ** 31),
    };
  }

  async #play() {
    if (this.#waiting) return this.#waiting.now();
    this.#go.disabled = true;
    setText(this.#error, "");
    try {
      const { newGame } = await this.#newGame;
      const request = newGame(await this.#request(), (error) => {
        this.#waiting = request;
        this.#go.disabled = false;
        setText(this.#error, `${errorText(error)} Trying again …`);
      });
      const table = await request.run();
      location.hash = `#/play/${encodeURIComponent(table.id)}`;
    } catch (error) {
      setText(this.#error, errorText(error));
    } finally {
      this.#waiting = null;
      this.#go.disabled = false;
    }
  }

  close() {
    this.#waiting?.stop();
  }

  /** On narrow screens the galleries scroll sideways: scrolls to the chosen card. */
  revealChosen() {
    for (const chosen of this.element.querySelectorAll("label:has(input:checked)")) {
      const card = /** @type {HTMLElement} */ (chosen);
      const row = card.parentElement;
      if (row) row.scrollLeft = card.offsetLeft - row.offsetLeft - (row.clientWidth - card.offsetWidth) / 2;
    }
  }

  /** Lists games that can be continued. */
  async showRecent() {
    /** @type {{tables: Ludus.LiveGameSummary[]}} */
    const { tables } = await get("/tables");
    const recent = tables.filter((table) => table.moves > 0).slice(0, MAX_RECENT_GAMES);
    this.#recent.hidden = recent.length === 0;
    replace(
      this.#recent,
      el("h2", { class: "setup-heading" }, "Your games"),
      el("ul", { class: "recent-list" }, recent.map(recentGame)),
    );
  }
}

/** @param {Ludus.LiveGameSummary} table */
function recentGame(table) {
  const name = (/** @type {string | null} */ spec) => (spec === null ? "You" : playerName(spec));
  const who =
    table.first === null && table.second === null ? "two people" : `${name(table.first)} v ${name(table.second)}`;
  const state = table.ending ? table.ending.words : `${table.moves} ${table.moves === 1 ? "move" : "moves"} played`;
  return el(
    "li",
    {},
    el(
      "a",
      { class: "recent-game", href: `#/play/${encodeURIComponent(table.id)}` },
      el("span", { class: "recent-title" }, `${table.name}: ${who}`),
      el("span", { class: "hint" }, state),
    ),
  );
}

/** @param {string[]} parts of a link */
function notUnderstood(parts) {
  if (parts.length > 0) toast(`Parts of the link were ignored: ${parts.join(", ")}`, "error");
}

/**
 * @param {(string | number)[][]} choices value and words
 * @param {string} chosen
 * @param {(value: string) => void} changed
 */
function choice(choices, chosen, changed) {
  const select = el(
    "select",
    { class: "select" },
    choices.map(([value, words]) => el("option", { value, ".selected": String(value) === chosen }, words)),
  );
  select.addEventListener("change", () => changed(select.value));
  return select;
}

/**
 * @param {string} title
 * @param {...HTMLElement} content
 */
function disclosure(title, ...content) {
  return el("details", { class: "disclosure" }, el("summary", {}, title), content);
}
