/** What the server's JSON API speaks. See /api/openapi.json. */
declare namespace Ludus {
  type Side = "first" | "second";
  type Grid = "checkered" | "squares" | "intersections" | "holes" | "text";
  type PieceKind =
    | "disc" | "man" | "crowned" | "cross" | "nought"
    | "pawn" | "knight" | "bishop" | "rook" | "queen" | "king" | "coins";

  interface Piece { side: Side; light: boolean; kind: PieceKind; count?: number }
  interface Cell { name: string; star: boolean; piece: Piece | null }
  interface View {
    grid: Grid;
    columns: number;
    rows: number;
    /** Row by row from the top, left to right. */
    cells: Cell[];
    column_labels: string[];
    row_labels: string[];
    notes: string[];
  }
  interface Move {
    move: string;
    /** As records write it. */
    label: string;
    /** From the first to the last cell touched; empty for a pass. */
    cells: number[];
    /** Other ways to the same move. */
    other_ways?: number[][];
  }
  interface PlayedMove { move: string; label: string; side: Side }
  interface Ending { outcome: Side | "draw"; reason: string; words: string; margin: number | null }

  interface OptionSpec {
    name: string;
    kind: "integer" | "number" | "choice" | "switch" | "bytes" | "text";
    min?: number;
    max?: number;
    choices?: string[];
    default: string;
    about: string;
  }
  interface Rating { elo: number; error: number; games: number; spec: string }
  interface PlayerInfo {
    id: string;
    about: string;
    year: number | null;
    idea: string;
    knows: string[];
    source: string | null;
    levels: null | { option: string; min: number; max: number; default: number };
    traced: boolean;
    rating: Rating | null;
    options: OptionSpec[];
  }
  interface GameInfo {
    id: string;
    name: string;
    about: string;
    options: OptionSpec[];
    record_format: RecordFormat;
    suggested: string;
    players: PlayerInfo[];
  }
  /** As the page brings it: each option of a player once, and the players that have it have its number. */
  interface Gallery {
    options: OptionSpec[];
    games: (Omit<GameInfo, "players"> & { players: (Omit<PlayerInfo, "options"> & { options: number[] })[] })[];
  }
  type RecordFormat = "pgn" | "pdn" | "sgf" | "json";

  interface MoveScore { move: string; score: number | null; visits: number }
  interface Analysis {
    game: string;
    position: string;
    player: string;
    best: string | null;
    /** Hundredths, for the side to move. */
    score: number | null;
    /** Plies to a proven end: positive if the side to move wins. */
    win: number | null;
    margin: null | { board: number; total: number };
    depth: number;
    nodes: number;
    leaves: number;
    seconds: number;
    pv: string[];
    pv_labels: string[];
    best_cells: number[];
    score_words: string;
    moves: MoveScore[];
    table: null | {
      capacity: number; used: number; probes: number; hits: number;
      cutoffs: number; stores: number; overwrites: number; lost: number;
    };
  }

  interface Limits { time_ms?: number; nodes?: number; depth?: number }
  interface Clock { seconds: number; increment: number }
  interface Seat { name: string; player: string | null; clock_ms: number | null }
  interface TableRequest {
    game: string;
    position?: string;
    record?: string;
    first: string | null;
    second: string | null;
    clock?: Clock;
    limits?: Limits;
    seed?: number;
  }
  interface Table {
    id: string;
    version: number;
    game: string;
    game_name: string;
    position: string;
    start: string;
    first_turn: Side;
    turn: Side;
    view: View;
    last_cells: number[];
    legal: Move[];
    moves: PlayedMove[];
    sides: { first: Seat; second: Seat };
    ending: Ending | null;
    thinking: Side | null;
    draw_offer: Side | null;
    record_format: RecordFormat;
    seed: number;
    limits: Limits;
    error: string | null;
  }
  interface TableSummary {
    id: string;
    game: string;
    name: string;
    first: string | null;
    second: string | null;
    moves: number;
    ending: Ending | null;
    updated: string | number;
  }
  interface Glance { view: View; last_cells: number[]; position: string; label: string }
  interface Hint { move: string; cells: number[]; analysis: Analysis }
  type LiveMessage = { type: "table"; table: Table } | { type: "thinking"; analysis: Analysis };

  interface PositionRequest { game: string; position?: string; moves?: string[]; record?: string }
  interface PositionAnswer {
    game: string;
    game_name: string;
    position: string;
    start: string;
    first_turn: Side;
    turn: Side;
    /** What the sides are called. */
    sides: { first: string; second: string };
    view: View;
    last_cells: number[];
    legal: Move[];
    ending: Ending | null;
    moves: PlayedMove[];
    /** The start, and after every move. */
    positions: { position: string; view: View; last_cells: number[] }[];
    variations?: Variation;
    format: RecordFormat;
  }
  interface Variation { move?: string; label?: string; comment?: string; children: Variation[] }

  type AnalysisMessage =
    | { type: "analysis"; id: string; player: string; analysis: Analysis }
    | { type: "ply"; id: string; ply: number; score: number | null; win: number | null; best: string | null; label: string | null }
    | { type: "ownership"; id: string; owners: number[] }
    | { type: "verdict"; id: string; words: string }
    | { type: "done"; id: string; player?: string }
    | { type: "error"; id: string; player?: string | null; message: string };

  interface SearchNode {
    id: number;
    parent: number | null;
    move: string | null;
    label?: string | null;
    ply: number;
    depth: number;
    alpha: number | null;
    beta: number | null;
    value: number | null;
    bound: "exact" | "lower" | "upper" | null;
    cause: string | null;
    stored?: string;
    cut: number;
    skipped: string[];
    nodes: number;
    omitted: number;
    pass: number;
  }
  interface SearchPass { depth: number; alpha: number | null; beta: number | null; value: number | null }
  interface SearchTrace {
    game: string; position: string; player: string; depth: number; visits: number;
    passes: SearchPass[];
    nodes: SearchNode[];
  }
  interface GrowthTrace {
    game: string; position: string; player: string; depth: number; visits: number;
    simulations: Record<string, unknown>[];
    nodes: Record<string, unknown>[];
  }
  interface Explanation { analysis: Analysis; trace: SearchTrace | GrowthTrace }
  interface Algorithm { id: string; name: string; idea: string; options: OptionSpec[]; kind: "search" | "growth" }

  type ContestState = "running" | "stopped" | "finished" | "failed";
  interface Score { wins: number; draws: number; losses: number }
  interface ContestRating extends Score { player: string; elo: number; error: number; low?: number | null; high?: number | null; score: number; games: number }
  interface ContestBoard { first: string; second: string; view: View; last_cells: number[]; moves: number }
  interface ContestSummary {
    id: string; name: string; game: string; players: string[]; form: string;
    done: number; planned: number; state: ContestState; error: string | null;
  }
  interface Contest extends ContestSummary {
    distinct: number; repeats: number;
    table: (Score | null)[][];
    ratings: ContestRating[];
    sprt: null | { llr: number; lower: number; upper: number; verdict: string };
    elo?: { value: number; low: number; high: number };
    boards: ContestBoard[];
  }
  interface ContestGame { id: string; first: string; second: string; result: string; reason: string; plies: number }

  interface Recipe { name: string; text: string; kind: string; game: string; about: string }
  interface Curve { name: string; x_label: string; points: [number, number][] }
  interface Run {
    name: string; kind: string; game: string; state: ContestState; error: string | null;
    stage: string; done: number; total: number; note: string; summary: string; checksum: string | null; started: string;
    curves: Curve[];
    checkpoints: { file: string; bytes: number; at: string }[];
  }
  interface Cluster { index: number; size: number; boards: View[]; [figure: string]: unknown }
  interface FeatureGroup { name: string; value: number; detail: string }

  interface LearnEntry { id: string; title: string; kind: "player" | "algorithm" | "game"; year: number | null; summary: string }
  interface LearnPage {
    id: string; title: string; idea: string | string[]; source: string;
    figures: { what: string; published: string; ours: string; where: string }[];
    play?: { game: string; spec: string };
    explain?: { game: string; algorithm: string };
    diagram?: string;
  }

  /** What a page is shown for: `#/play/17?hint=1` is path ["17"], query hint=1. */
  interface Route { path: string[]; query: URLSearchParams }
  interface PageModule { show(main: HTMLElement, route: Route): Promise<() => void> }

  /** An arrow on a board, from cell to cell. */
  interface Arrow { from: number; to: number; strength?: number; colour?: string; label?: string }
  /** A ring (or "cross", "square", "triangle") on a cell. */
  interface Mark { cell: number; shape?: "ring" | "cross" | "square" | "triangle"; colour?: string }
  /** A small text on a cell. */
  interface CellText { cell: number; text: string; colour?: string }
}

interface HTMLElementTagNameMap {
  "ludus-board": import("./components/board.js").LudusBoard;
  "ludus-options": import("./components/option-form.js").OptionForm;
}
