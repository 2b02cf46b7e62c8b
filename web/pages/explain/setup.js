/** The form of the explain page: position and algorithms. */

import { OptionForm } from "../../forms/option-form.js";
import { games, get, post } from "../../lib/api.js";
import { el, errorText, on, replace, setText } from "../../lib/dom.js";
import { icon } from "../../lib/icons.js";
import { playerName } from "../../lib/names.js";
import { readSpec, writeSpec } from "../../lib/specs.js";
import { choiceWords, optionWords, withEvaluation } from "./evaluations.js";
import "../../board/board.js";

/**
 * @typedef {object} ExplainRequest
 * @property {"position" | "tree"} kind
 * @property {string} game
 * @property {string} position start position of the moves
 * @property {string[]} moves
 * @property {Ludus.PositionView | null} answer
 * @property {string} tree
 * @property {string} order of the moves in a typed tree
 * @property {number} size
 * @property {{ title: string, player: string, nodes: number | undefined }[]} runs
 */

const EXAMPLES = [
  ["Textbook", "((3 12 8) (2 4 6) (14 5 2))"],
  ["Deep cut", "((5 9) ((8 7) (3 (2 1) 6)) (4 (7 6)))"],
  ["Three plies", "(((10 5) (11 7)) ((9 8) (3 20)) ((6 4) (12 1)))"],
  ["Best first", "(((8 5) (9 9)) ((3 2) (7 7)) ((1 1) (4 6)))"],
  ["Worst first", "(((1 1) (4 6)) ((3 2) (7 7)) ((8 5) (9 9)))"],
  ["Four plies", "((((3 17) (2 12)) ((15) (25 0))) (((2 5) (3)) ((2 14))))"],
  ["Chess study", "(((3 7) (9 4)) ((5 2) (6 8)))"],
  ["Chess study: UCB1", "(S1:20:(S3:0 S4:0) S2:10:(S5:10 S6:10))", "study-mcts:plies=0,iterations=4"],
];
const MOVE_ORDERS = [
  ["written", "As written"],
  ["best", "Best first"],
  ["worst", "Worst first"],
];
/** Nodes of a search that are recorded at most. */
const RECORDED_NODES = [500, 2000, 5000, 20000];
const DEFAULT_RECORDED_NODES = 5000;
/** Node limit for players without a limit option of their own. */
const DEFAULT_NODE_LIMIT = 3000;
const DEFAULT_GAME = "tictactoe";
const SHOWN_FIRST = new Set(["depth", "playouts", "iterations", "plies", "eval", "leaf"]);
/** Options without meaning for typed trees, which are searched to their leaves, with the typed values. */
const NOT_FOR_TYPED_TREES = new Set(["depth", "eval"]);
const DEFAULTS = /** @type {Record<string, string>} */ ({ depth: "3", playouts: "300", iterations: "300" });

export class ExplainSetup {
  /** @type {Ludus.GameCard[]} */
  #games = [];
  /** @type {Ludus.Algorithm[]} */
  #algorithms = [];
  /** @type {"position" | "tree"} */
  #kind = "position";
  /** @type {Ludus.PositionView | null} */
  #answer = null;
  /** @type {string[]} */
  #moves = [];
  #start = "";
  #number = 0;
  /** Resolves once the latest position has been read. */
  #reading = Promise.resolve();
  #board = el("ludus-board", { class: "ask-board" });
  #game = el("select", { class: "select", id: "explain-game" });
  #position = el("input", { class: "input", id: "explain-position", spellcheck: "false", autocomplete: "off" });
  #rules = new OptionForm();
  #rulesBox = el("details", { class: "disclosure" }, el("summary", {}, "Rules and board"), this.#rules);
  #note = el("p", { class: "hint", role: "status" });
  #tree = el("textarea", { class: "input", id: "explain-tree", rows: 4, spellcheck: "false" });
  #order = el(
    "select",
    { class: "select", id: "explain-order" },
    ...MOVE_ORDERS.map(([value, words]) => el("option", { value }, words)),
  );
  #size = el(
    "select",
    { class: "select", id: "explain-size" },
    ...RECORDED_NODES.map((size) =>
      el("option", { value: size, selected: size === DEFAULT_RECORDED_NODES }, size.toLocaleString("en")),
    ),
  );
  #sizeField = field("Recorded nodes, at most", this.#size);
  #panes = { position: el("div", { class: "ask-pane" }), tree: el("div", { class: "ask-pane" }) };
  #search = el("button", { type: "submit", class: "button primary large" }, icon("search"), "Search");
  #runs = [new AlgorithmChoice("First algorithm"), new AlgorithmChoice("Second algorithm")];
  #second = el("div", { class: "ask-second", hidden: true });
  #add = el(
    "button",
    { type: "button", class: "button", onclick: () => this.#showSecond(true) },
    icon("plus"),
    "Compare with a second algorithm",
  );
  /** @type {HTMLButtonElement[]} */
  #tabs = [];

  /** @param {(order: ExplainRequest) => void} search */
  constructor(search) {
    this.element = el("form", { class: "card explain-setup", "aria-label": "What to search" });
    on(this.element, "submit", (event) => {
      event.preventDefault();
      void this.#submit(search);
    });
  }

  /**
   * Starts the search, once a typed position has been read and if it is valid.
   * @param {(order: ExplainRequest) => void} search
   */
  async #submit(search) {
    await this.#reading;
    const isWrong = this.#kind === "position" && this.#position.hasAttribute("aria-invalid");
    if (isWrong) this.#position.focus();
    else search(this.order());
  }

  /** @param {URLSearchParams} query */
  async load(query) {
    this.#games = games();
    this.#algorithms = /** @type {Ludus.Algorithm[]} */ (await get("/algorithms"));
    this.#build();
    await this.fill(query);
  }

  /**
   * Fills in the form from a link.
   * @param {URLSearchParams} query
   */
  async fill(query) {
    // Some algorithms play only some games, but search any typed tree.
    const searched = query.has("tree") ? null : readSpec(query.get("game") ?? DEFAULT_GAME).id;
    for (const run of this.#runs) run.load(this.#choices(searched));
    this.#runs[0].choose(query.get("player") ?? query.get("algorithm") ?? "alphabeta");
    this.#runs[1].choose(query.get("against") ?? "minimax");
    this.#showSecond(query.has("against"));
    const game = query.get("game") ?? DEFAULT_GAME;
    this.#game.value = readSpec(game).id;
    this.#takeRules(readSpec(game).options);
    this.#tree.value = query.get("tree") ?? EXAMPLES[0][1];
    select(this.#order, query.get("order") ?? MOVE_ORDERS[0][0]);
    select(this.#size, query.get("size") ?? String(DEFAULT_RECORDED_NODES));
    this.#show(query.has("tree") ? "tree" : "position");
    await this.#read({
      game,
      position: query.get("position") ?? undefined,
      moves: query.get("moves")?.split(" ").filter(Boolean),
    });
  }

  #build() {
    replace(this.#game, ...this.#games.map(({ id, name }) => el("option", { value: id }, name)));
    on(this.#game, "change", () => {
      this.#offer();
      this.#takeRules({});
      void this.#read({ game: this.#spec() });
    });
    on(this.#rules, "change", () => void this.#read({ game: this.#spec() }));
    on(
      this.#position,
      "change",
      () => void this.#read({ game: this.#spec(), position: this.#position.value.trim() || undefined }),
    );
    on(this.#board, "move", (/** @type {CustomEvent<Ludus.MoveView>} */ event) => void this.#play(event.detail.move));
    this.#board.interactive = true;
    this.#tabs = [
      ["position", "A position"],
      ["tree", "A tree typed by hand"],
    ].map(([kind, words]) =>
      el(
        "button",
        {
          type: "button",
          class: "tab",
          role: "tab",
          dataset: { kind },
          onclick: () => this.#show(kind === "tree" ? "tree" : "position"),
        },
        words,
      ),
    );
    this.#buildPosition();
    this.#buildTree();
    replace(
      this.element,
      el("div", { class: "tabs", role: "tablist", "aria-label": "What to search" }, ...this.#tabs),
      el("div", { class: "ask-grid" }, el("div", {}, this.#panes.position, this.#panes.tree), this.#buildRuns()),
    );
  }

  #buildPosition() {
    const small = (/** @type {string} */ words, /** @type {() => void} */ act) =>
      el("button", { type: "button", class: "button", onclick: act }, words);
    replace(
      this.#panes.position,
      this.#board,
      el(
        "div",
        { class: "column" },
        field("Game", this.#game),
        field("Position", this.#position),
        el(
          "div",
          { class: "row" },
          small(
            "Take back",
            () => void this.#read({ game: this.#spec(), position: this.#start, moves: this.#moves.slice(0, -1) }),
          ),
          small("Start position", () => void this.#read({ game: this.#spec() })),
        ),
        this.#note,
        this.#rulesBox,
      ),
    );
  }

  /** The specification of the game. */
  #spec() {
    return writeSpec(this.#game.value, this.#rules.values);
  }

  /** @param {Record<string, string>} values */
  #takeRules(values) {
    this.#rules.options = this.#games.find(({ id }) => id === this.#game.value)?.options ?? [];
    this.#rules.values = values;
    this.#rulesBox.hidden = this.#rules.options.length === 0;
  }

  #buildTree() {
    const examples = EXAMPLES.map(([name, tree, player]) =>
      el(
        "button",
        {
          type: "button",
          class: "button",
          onclick: () => {
            this.#tree.value = tree;
            if (player) this.#runs[0].choose(player);
          },
        },
        name,
      ),
    );
    replace(
      this.#panes.tree,
      el(
        "div",
        { class: "column grow" },
        field("Tree", this.#tree),
        el(
          "p",
          { class: "hint" },
          "Numbers are the values of the leaves for Max, who moves at the root. Parentheses or indented lines; moves may have names: (left:(3 5) right:(6 9)). A number with a colon before a bracket is the value of that node itself, for searches that evaluate it: (20:(3 5) 10:(6 9)).",
        ),
        el(
          "div",
          { class: "field" },
          el("span", { class: "label" }, "Examples"),
          el("div", { class: "row ask-examples", role: "group", "aria-label": "Examples" }, ...examples),
        ),
        field("ExplainRequest of the moves", this.#order),
      ),
    );
  }

  #buildRuns() {
    const remove = el(
      "button",
      { type: "button", class: "button quiet", onclick: () => this.#showSecond(false) },
      icon("close"),
      "Remove the second",
    );
    replace(this.#second, this.#runs[1].element, remove);
    return el(
      "div",
      { class: "column ask-runs" },
      this.#runs[0].element,
      this.#second,
      el(
        "div",
        { class: "row ask-go" },
        this.#add,
        el("div", { class: "row ask-search" }, this.#sizeField, this.#search),
      ),
    );
  }

  /** @param {boolean} shown */
  #showSecond(shown) {
    this.#second.hidden = !shown;
    this.#add.hidden = shown;
    // Hidden fields need not be valid.
    this.#runs[1].element.disabled = !shown;
  }

  /** @param {"position" | "tree"} kind */
  #show(kind) {
    this.#kind = kind;
    this.#panes.position.hidden = kind !== "position";
    this.#panes.tree.hidden = kind !== "tree";
    // Typed trees are small: they are recorded completely.
    this.#sizeField.hidden = kind === "tree";
    for (const tab of this.#tabs) tab.setAttribute("aria-selected", String(tab.dataset.kind === kind));
    this.#offer();
  }

  #offer() {
    for (const run of this.#runs) run.load(this.#choices(this.#kind === "tree" ? null : this.#game.value));
  }

  /**
   * The algorithms: with their options in a game, together with the players of the game that can be traced; or as for typed trees,
   * which are searched to their leaves.
   * @param {string | null} game
   * @returns {Ludus.Algorithm[]}
   */
  #choices(game) {
    const info = this.#games.find(({ id }) => id === game);
    if (!info)
      return this.#algorithms.map((algorithm) => ({
        ...algorithm,
        options: algorithm.options.filter(({ name }) => !NOT_FOR_TYPED_TREES.has(name)),
      }));
    const traced = info.players.filter((player) => player.traced);
    const own = this.#algorithms.flatMap((algorithm) => {
      const player = traced.find(({ id }) => id === algorithm.id);
      return player ? [{ ...algorithm, options: player.options }] : [];
    });
    const others = traced.filter(({ id }) => !this.#algorithms.some((algorithm) => algorithm.id === id));
    return [
      ...own,
      ...others.map(({ id, idea, about, options }) => ({
        id,
        name: playerName(id),
        idea: idea || about,
        options,
        kind: /** @type {const} */ ("search"),
      })),
    ];
  }

  /** @param {string} move */
  async #play(move) {
    await this.#read({ game: this.#spec(), position: this.#start, moves: [...this.#moves, move] });
  }

  /** @param {Ludus.PositionInput} request */
  #read(request) {
    this.#reading = this.#ask(request);
    return this.#reading;
  }

  /** @param {Ludus.PositionInput} request */
  async #ask(request) {
    const number = ++this.#number;
    try {
      /** @type {Ludus.PositionView} */
      const answer = await post("/positions", request);
      if (number !== this.#number) return;
      this.#answer = answer;
      this.#moves = answer.moves.map(({ move }) => move);
      this.#start = answer.start;
      this.#position.value = answer.position;
      this.#position.removeAttribute("aria-invalid");
      this.#note.className = "hint";
      Object.assign(this.#board, { view: answer.view, last: answer.last_cells, legal: answer.legal });
      setText(
        this.#note,
        answer.ending
          ? `The game is over here: ${answer.ending.words}`
          : "Make moves on the board, or type a position.",
      );
    } catch (error) {
      if (number !== this.#number) return;
      this.#position.setAttribute("aria-invalid", "true");
      this.#note.className = "field-error";
      setText(this.#note, errorText(error));
    }
  }

  /** @returns {ExplainRequest} */
  order() {
    const runs = this.#second.hidden ? this.#runs.slice(0, 1) : this.#runs;
    return {
      kind: this.#kind,
      game: this.#answer?.game ?? this.#game.value,
      position: this.#start,
      moves: this.#moves,
      answer: this.#answer,
      tree: this.#tree.value,
      order: this.#order.value,
      size: Number(this.#size.value),
      runs: runs.map((run) => run.order()),
    };
  }

  /** @param {boolean} busy */
  set busy(busy) {
    this.#search.disabled = busy;
    replace(this.#search, busy ? el("span", { class: "spinner" }) : icon("search"), busy ? "Searching…" : "Search");
  }
}

/** An algorithm with its options. */
class AlgorithmChoice {
  /** @type {Ludus.Algorithm[]} */
  #algorithms = [];
  /** @type {Map<string, HTMLInputElement | HTMLSelectElement>} */
  #inputs = new Map();
  #select = el("select", { class: "select" });
  #idea = el("p", { class: "hint" });
  #main = el("div", { class: "ask-options" });
  #more = el("div", { class: "ask-options" });
  #details = el("details", { class: "disclosure" }, el("summary", {}, "More options"), this.#more);

  /** @param {string} title */
  constructor(title) {
    this.#select.id = `explain-${title.split(" ")[0].toLowerCase()}`;
    this.element = el(
      "fieldset",
      { class: "ask-algorithm" },
      el("div", { class: "ask-options" }, field(title, this.#select), this.#main),
      this.#idea,
      this.#details,
    );
    on(this.#select, "change", () => this.#options({}));
  }

  /** @param {Ludus.Algorithm[]} algorithms */
  load(algorithms) {
    const [before, chosen] = [this.#select.value, this.#chosen()];
    this.#algorithms = algorithms;
    replace(this.#select, ...algorithms.map(({ id, name }) => el("option", { value: id }, name)));
    const isSame = algorithms.some(({ id }) => id === before);
    if (isSame) this.#select.value = before;
    this.#options(isSame ? chosen : {});
  }

  /** The options that differ from the defaults. */
  #chosen() {
    /** @type {Record<string, string>} */
    const chosen = {};
    for (const option of this.#algorithm?.options ?? []) {
      const value = this.#inputs.get(option.name)?.value ?? option.default;
      if (value !== "" && value !== option.default) chosen[option.name] = value;
    }
    return chosen;
  }

  /** @param {string} spec */
  choose(spec) {
    const { id, options } = readSpec(spec);
    if (this.#algorithms.some((algorithm) => algorithm.id === id)) this.#select.value = id;
    this.#options(options);
  }

  get #algorithm() {
    return this.#algorithms.find(({ id }) => id === this.#select.value) ?? this.#algorithms[0];
  }

  /** @param {Record<string, string>} given */
  #options(given) {
    const algorithm = this.#algorithm;
    if (!algorithm) return;
    setText(this.#idea, algorithm.idea);
    const kept = new Map(
      [...this.#inputs].filter(([, input]) => !isUsual(input)).map(([name, input]) => [name, input.value]),
    );
    this.#inputs.clear();
    const fields = algorithm.options.map((option) => {
      const input = optionInput(option);
      input.value =
        given[option.name] ??
        (SHOWN_FIRST.has(option.name) ? kept.get(option.name) : undefined) ??
        DEFAULTS[option.name] ??
        option.default;
      // Not every algorithm has every evaluation.
      if (input instanceof HTMLSelectElement && input.selectedIndex < 0) input.value = option.default;
      this.#inputs.set(option.name, input);
      return { name: option.name, element: field(optionWords(option.name), input, option.about) };
    });
    replace(this.#main, ...fields.filter(({ name }) => SHOWN_FIRST.has(name)).map(({ element }) => element));
    const rest = fields.filter(({ name }) => !SHOWN_FIRST.has(name));
    replace(this.#more, ...rest.map(({ element }) => element));
    this.#details.hidden = rest.length === 0;
  }

  order() {
    const { id, name, options } = this.#algorithm;
    const chosen = this.#chosen();
    const depth = this.#inputs.get("depth")?.value;
    if (depth) chosen.depth = depth;
    // A player without a depth or a number of simulations would search until its time is up.
    const isBounded = options.some(({ name }) => name === "depth" || name === "playouts" || name === "iterations");
    return {
      title: withEvaluation(name, chosen.eval),
      player: writeSpec(id, chosen),
      nodes: isBounded ? undefined : DEFAULT_NODE_LIMIT,
    };
  }
}

/**
 * The query of a link that fills in the form like this.
 * @param {ExplainRequest} order
 */
export function addressOf({ kind, game, position, moves, tree, order, size, runs }) {
  const [first, second] = runs.map(({ player }) => player);
  /** @type {Record<string, string>} */
  const asked = kind === "tree" ? { tree, order } : { game, position, moves: moves.join(" "), size: String(size) };
  asked.player = first;
  if (second) asked.against = second;
  return new URLSearchParams(asked).toString();
}

/**
 * Selects `value`, if it is one of the choices.
 * @param {HTMLSelectElement} input
 * @param {string} value
 */
function select(input, value) {
  if ([...input.options].some((option) => option.value === value)) input.value = value;
}

/** @param {Ludus.OptionView} option */
function optionInput(option) {
  const choices = option.kind === "switch" ? ["on", "off"] : option.choices;
  if (choices)
    return el(
      "select",
      { class: "select" },
      ...choices.map((choice) =>
        el("option", { value: choice, selected: choice === option.default }, choiceWords(option.name, choice)),
      ),
    );
  const isNumber = option.kind === "integer" || option.kind === "number";
  // An empty depth means no depth limit.
  const isDepth = option.name === "depth";
  return el("input", {
    class: "input number",
    type: isNumber ? "number" : "text",
    min: isDepth ? 1 : option.min,
    max: option.max,
    required: isDepth,
    step: option.kind === "number" ? "any" : isNumber ? 1 : null,
  });
}

/**
 * Whether an option has its default value.
 * @param {HTMLInputElement | HTMLSelectElement} input
 */
function isUsual(input) {
  return input instanceof HTMLSelectElement && (input.selectedOptions[0]?.defaultSelected ?? true);
}

let fields = 0;

/**
 * @param {string} label
 * @param {HTMLElement} control
 * @param {string} [about]
 */
function field(label, control, about) {
  control.id ||= `explain-field-${fields++}`;
  const name = label.charAt(0).toUpperCase() + label.slice(1);
  return el(
    "div",
    { class: "field", title: about ?? null },
    el("label", { class: "label", for: control.id }, name),
    control,
  );
}
