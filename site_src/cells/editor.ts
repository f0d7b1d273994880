// The editor: CodeMirror, loaded when a reader first reaches for the code.

import {
  acceptCompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, highlightSpecialChars, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { symbolsInEditor } from "../symbols/in-editor";
import { completion } from "./completion";
import { markedLine, markLine } from "./marked-line";
import { withoutPrompts } from "./prompts";

export interface EditorOptions {
  code: string;
  elsewhere(): string; // the code of the page's other cells, whose names can be completed
  label: string; // accessible name
  hintId: string; // the element that says how to leave
  onChange(code: string): void;
  onRun(): void;
  onRunAndMoveOn(): void;
}

export class Editor {
  readonly #view: EditorView;
  readonly #difference = new Compartment();
  #before: string | null = null; // what is to be shown, once that can be

  constructor(options: EditorOptions) {
    const { code, label, hintId, elsewhere, onChange, onRun, onRunAndMoveOn } = options;
    const run = (act: () => void) => () => {
      act();
      return true;
    };
    this.#view = new EditorView({
      state: EditorState.create({
        doc: code,
        extensions: [
          history(),
          python(),
          indentUnit.of("    "),
          bracketMatching(),
          closeBrackets(),
          completion(elsewhere),
          highlightSpecialChars(), // a shared edit may not hide any
          syntaxHighlighting(LOOK),
          symbolsInEditor,
          markedLine,
          keymap.of([
            { key: "Mod-Enter", run: run(onRun) },
            { key: "Shift-Enter", run: run(onRunAndMoveOn) },
            ...closeBracketsKeymap,
            ...completionKeymap,
            { key: "Tab", run: acceptCompletion },
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.clipboardInputFilter.of(withoutPrompts),
          this.#difference.of([]),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": hintId,
            tabindex: "0", // it has the focus anyway; checkers of accessibility look for this
            autocapitalize: "off",
            autocorrect: "off",
            spellcheck: "false",
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
  }

  get element(): HTMLElement {
    return this.#view.dom;
  }

  /** Replaces the whole text as one step, which the reader's own undo takes back. */
  set code(code: string) {
    if (code === this.#view.state.doc.toString()) return;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: code } });
  }

  /** Shows what was there before, above what has changed; null: only the text as it is. */
  async compare(before: string | null): Promise<void> {
    this.#before = before;
    const shown = before === null ? [] : (await import("./difference")).difference(before);
    if (before !== this.#before) return;
    this.#view.dispatch({ effects: this.#difference.reconfigure(shown) });
  }

  /** Marks a line, counted from 1, until the text changes; null takes the mark away. */
  mark(line: number | null): void {
    this.#view.dispatch({ effects: markLine.of(line) });
  }

  focus(): void {
    this.#view.focus();
  }

  /** Puts the caret where the reader pointed, if the point lies in the text. */
  placeCaret(at: { x: number; y: number }): void {
    const position = this.#view.posAtCoords(at, false);
    this.#view.dispatch({ selection: { anchor: position } });
  }
}

// The classes that Pygments gives to the printed code, so that editing changes no colour.
const LOOK = HighlightStyle.define([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword], class: "k" },
  { tag: tags.moduleKeyword, class: "kn" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.number, class: "mi" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: tags.comment, class: "c1" },
  { tag: tags.operator, class: "o" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nd" },
]);
