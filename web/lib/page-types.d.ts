/** Types of the pages themselves; those of the API are generated in `types.d.ts`. */
declare namespace Ludus {
  /** The gallery as the start page contains it: each distinct option once, referred to by index. */
  interface EmbeddedGallery {
    options: OptionView[];
    games: (Omit<GameCard, "players"> & { players: (Omit<PlayerCard, "options"> & { options: number[] })[] })[];
  }

  /** Address of a page: `#/play/17?hint=1` has path ["17"] and query hint=1. */
  interface Route {
    path: string[];
    query: URLSearchParams;
  }
  interface PageModule {
    show(main: HTMLElement, route: Route): Promise<() => void>;
  }

  /** An arrow on a board, from cell to cell. */
  interface Arrow {
    from: number;
    to: number;
    strength?: number;
    colour?: string;
    label?: string;
  }
  /** A mark on a cell. */
  interface Mark {
    cell: number;
    shape?: "ring" | "cross" | "square" | "triangle";
    colour?: string;
  }
  /** A small text on a cell. */
  interface CellText {
    cell: number;
    text: string;
    colour?: string;
  }
}

interface HTMLElementTagNameMap {
  "ludus-board": import("../board/board.js").LudusBoard;
  "ludus-options": import("../forms/option-form.js").OptionForm;
}
