/** What the server's JSON API speaks. See /api/openapi.json. */
declare namespace Ludus {
  type SideName = "first" | "second";
  type GridKind = "checkered" | "squares" | "intersections" | "holes" | "text";
  type PieceName =
    | "disc"
    | "man"
    | "crowned"
    | "cross"
    | "nought"
    | "pawn"
    | "knight"
    | "bishop"
    | "rook"
    | "queen"
    | "king"
    | "coins";

  interface PieceView {
    side: SideName;
    light: boolean;
    kind: PieceName;
    count?: number;
  }
  interface CellView {
    name: string;
    star: boolean;
    piece: PieceView | null;
  }
  interface BoardDiagram {
    grid: GridKind;
    columns: number;
    rows: number;
    /** Row by row from the top, left to right. */
    cells: CellView[];
    column_labels: string[];
    row_labels: string[];
    notes: string[];
  }
  interface MoveView {
    move: string;
    /** As records write it. */
    label: string;
    /** From the first to the last cell touched; empty for a pass. */
    cells: number[];
    /** Other ways to the same move. */
    other_ways?: number[][];
  }
  interface PlayedMove {
    move: string;
    label: string;
    side: SideName;
  }
  interface EndingView {
    outcome: SideName | "draw";
    reason: string;
    words: string;
    margin: number | null;
  }

  interface OptionView {
    name: string;
    kind: "integer" | "number" | "choice" | "switch" | "bytes" | "text";
    min?: number;
    max?: number;
    choices?: string[];
    default: string;
    about: string;
  }
  interface RatingCard {
    elo: number;
    error: number;
    games: number;
    spec: string;
  }
  interface PlayerCard {
    id: string;
    about: string;
    year: number | null;
    idea: string;
    knows: string[];
    source: string | null;
    levels: null | { option: string; min: number; max: number; default: number };
    traced: boolean;
    rating: RatingCard | null;
    options: OptionView[];
  }
  interface GameCard {
    id: string;
    name: string;
    about: string;
    options: OptionView[];
    record_format: RecordFormat;
    suggested: string;
    players: PlayerCard[];
  }
  type RecordFormat = "pgn" | "pdn" | "sgf" | "json";

  interface RootMove {
    move: string;
    score: number | null;
    visits: number;
  }
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
    moves: RootMove[];
    table: null | {
      capacity: number;
      used: number;
      probes: number;
      hits: number;
      cutoffs: number;
      stores: number;
      overwrites: number;
      lost: number;
    };
  }

  interface LimitsInput {
    time_ms?: number;
    nodes?: number;
    depth?: number;
  }
  interface TimeControl {
    seconds: number;
    increment: number;
  }
  interface SideView {
    name: string;
    player: string | null;
    clock_ms: number | null;
  }
  interface NewGameInput {
    game: string;
    position?: string;
    record?: string;
    first: string | null;
    second: string | null;
    clock?: TimeControl;
    limits?: LimitsInput;
    seed?: number;
  }
  interface LiveGameView {
    id: string;
    version: number;
    game: string;
    game_name: string;
    position: string;
    start: string;
    first_turn: SideName;
    turn: SideName;
    view: BoardDiagram;
    last_cells: number[];
    legal: MoveView[];
    moves: PlayedMove[];
    sides: { first: SideView; second: SideView };
    ending: EndingView | null;
    thinking: SideName | null;
    draw_offer: SideName | null;
    record_format: RecordFormat;
    seed: number;
    limits: LimitsInput;
    error: string | null;
  }
  interface LiveGameSummary {
    id: string;
    game: string;
    name: string;
    first: string | null;
    second: string | null;
    moves: number;
    ending: EndingView | null;
    updated: string | number;
  }
  interface SnapshotView {
    view: BoardDiagram;
    last_cells: number[];
    position: string;
    label: string;
  }
  interface Hint {
    move: string;
    cells: number[];
    analysis: Analysis;
  }
  type LiveGameMessage = { type: "table"; table: LiveGameView } | { type: "thinking"; analysis: Analysis };

  interface PositionInput {
    game: string;
    position?: string;
    moves?: string[];
    record?: string;
  }
  interface PositionView {
    game: string;
    game_name: string;
    position: string;
    start: string;
    first_turn: SideName;
    turn: SideName;
    /** What the sides are called. */
    sides: { first: string; second: string };
    view: BoardDiagram;
    last_cells: number[];
    legal: MoveView[];
    ending: EndingView | null;
    moves: PlayedMove[];
    /** The start, and after every move. */
    positions: { position: string; view: BoardDiagram; last_cells: number[] }[];
    variations?: VariationNode;
    format: RecordFormat;
  }
  interface VariationNode {
    move?: string;
    label?: string;
    comment?: string;
    children: VariationNode[];
  }

  type AnalysisMessage =
    | { type: "analysis"; id: string; player: string; analysis: Analysis }
    | {
        type: "ply";
        id: string;
        ply: number;
        score: number | null;
        win: number | null;
        best: string | null;
        label: string | null;
      }
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
  interface SearchPass {
    depth: number;
    alpha: number | null;
    beta: number | null;
    value: number | null;
  }
  interface SearchTrace {
    game: string;
    position: string;
    player: string;
    depth: number;
    visits: number;
    passes: SearchPass[];
    nodes: SearchNode[];
  }
  interface GrowthTrace {
    game: string;
    position: string;
    player: string;
    depth: number;
    visits: number;
    simulations: Record<string, unknown>[];
    nodes: Record<string, unknown>[];
  }
  interface Explanation {
    analysis: Analysis;
    trace: SearchTrace | GrowthTrace;
  }
  interface Algorithm {
    id: string;
    name: string;
    idea: string;
    options: OptionView[];
    kind: "search" | "growth";
  }

  type Phase = "running" | "stopped" | "finished" | "failed";
  interface WdlView {
    wins: number;
    draws: number;
    losses: number;
  }
  interface RatingRow extends WdlView {
    player: string;
    elo: number;
    error: number;
    low?: number | null;
    high?: number | null;
    score: number;
    games: number;
  }
  interface ContestBoardView {
    first: string;
    second: string;
    view: BoardDiagram;
    last_cells: number[];
    moves: number;
  }
  interface ContestSummary {
    id: string;
    name: string;
    game: string;
    players: string[];
    form: string;
    done: number;
    planned: number;
    state: Phase;
    error: string | null;
  }
  interface ContestView extends ContestSummary {
    distinct: number;
    repeats: number;
    table: (WdlView | null)[][];
    ratings: RatingRow[];
    sprt: null | { llr: number; lower: number; upper: number; verdict: string };
    elo?: { value: number; low: number; high: number };
    boards: ContestBoardView[];
  }
  interface ContestGameSummary {
    id: string;
    first: string;
    second: string;
    result: string;
    reason: string;
    plies: number;
  }

  interface RecipeView {
    name: string;
    text: string;
    kind: string;
    game: string;
    about: string;
  }
  interface Curve {
    name: string;
    x_label: string;
    points: [number, number][];
  }
  interface RunView {
    name: string;
    kind: string;
    game: string;
    state: Phase;
    error: string | null;
    stage: string;
    done: number;
    total: number;
    note: string;
    summary: string;
    checksum: string | null;
    started: string;
    curves: Curve[];
    checkpoints: { file: string; bytes: number; at: string }[];
  }
  interface Cluster {
    index: number;
    size: number;
    boards: BoardDiagram[];
    [figure: string]: unknown;
  }
  interface FeatureValue {
    name: string;
    value: number;
    detail: string;
  }

  interface ArticleSummary {
    id: string;
    title: string;
    kind: "player" | "algorithm" | "game";
    year: number | null;
    summary: string;
  }
  interface Article {
    id: string;
    title: string;
    idea: string | string[];
    source: string;
    figures: { what: string; published: string; ours: string; where: string }[];
    play?: { game: string; spec: string };
    explain?: { game: string; algorithm: string };
    diagram?: string;
  }


}

