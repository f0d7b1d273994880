// The editor: CodeMirror, loaded when a reader first reaches for the code.

import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { symbolsInEditor } from "../symbols/in-editor";

export interface EditorOptions {
  code: string;
  label: string; // accessible name
  hintId: string; // the element that says how to leave
  onChange(code: string): void;
  onRun(): void;
  onRunAndMoveOn(): void;
}

export class Editor {
  readonly #view: EditorView;

  constructor({ code, label, hintId, onChange, onRun, onRunAndMoveOn }: EditorOptions) {
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
          syntaxHighlighting(LOOK),
          symbolsInEditor,
          keymap.of([
            { key: "Mod-Enter", run: run(onRun) },
            { key: "Shift-Enter", run: run(onRunAndMoveOn) },
            ...defaultKeymap,
            ...historyKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": hintId,
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
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: code } });
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
