/** A dialog to open any position or record. */

import { OptionForm } from "../../forms/option-form.js";
import { post } from "../../lib/api.js";
import { el, errorText, replace, setText } from "../../lib/dom.js";
import { startFrom } from "../../lib/records.js";
import { writeSpec } from "../../lib/specs.js";

/**
 * @param {Ludus.GameCard[]} games
 * @param {string} chosen
 * @param {(answer: Ludus.PositionView) => void} opened
 */
export function openRecordDialog(games, chosen, opened) {
  const options = new OptionForm();
  const rules = el("details", { class: "disclosure" }, el("summary", {}, "Rules and board"), options);
  const chooseGame = () => {
    options.values = {};
    options.options = games.find(({ id }) => id === game.value)?.options ?? [];
    rules.hidden = options.options.length === 0;
  };
  const game = el(
    "select",
    { class: "select", id: "open-game", onchange: chooseGame },
    games.map(({ id, name }) => el("option", { value: id, selected: id === chosen }, name)),
  );
  const text = el("textarea", {
    class: "input",
    id: "open-text",
    rows: 8,
    spellcheck: "false",
    placeholder: "PGN, PDN, SGF, moves, FEN or another position. Empty: the start position.",
  });
  const file = el("input", {
    type: "file",
    class: "visually-hidden",
    id: "open-file",
    accept: ".pgn,.pdn,.sgf,.json,.fen,.txt",
    onchange: () => void readFile(),
  });
  const error = el("p", { class: "field-error", role: "alert" });
  const open = el("button", { type: "submit", class: "button primary" }, "Open");
  const readFile = async () => {
    text.value = (await file.files?.[0]?.text()) ?? text.value;
  };
  const submit = async () => {
    open.disabled = true;
    setText(error, "");
    try {
      const spec = writeSpec(game.value, options.values);
      opened(await post("/positions", { game: spec, ...startFrom(spec, text.value) }));
      dialog.close();
    } catch (reason) {
      setText(error, errorText(reason));
    } finally {
      open.disabled = false;
    }
  };
  const form = el(
    "form",
    {
      class: "column",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void submit();
      },
    },
    el("h2", {}, "Open a position or a game"),
    el("div", { class: "field" }, el("label", { class: "label", for: "open-game" }, "Game"), game),
    rules,
    el("div", { class: "field" }, el("label", { class: "label", for: "open-text" }, "Position or record"), text),
    error,
    el(
      "div",
      { class: "dialog-buttons" },
      file,
      el("label", { class: "button", for: "open-file", tabindex: 0 }, "From a file…"),
      el("div", { class: "grow" }),
      el("button", { type: "button", class: "button", onclick: () => dialog.close() }, "Cancel"),
      open,
    ),
  );
  const dialog = el("dialog", { "aria-label": "Open a position or a game", onclose: () => dialog.remove() });
  replace(dialog, form);
  chooseGame();
  document.body.append(dialog);
  dialog.showModal();
}
