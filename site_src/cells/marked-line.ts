// The line of an error, marked in the editor until the text changes.

import { StateEffect, StateField } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";

/** Marks a line, counted from 1; null takes the mark away. */
export const markLine = StateEffect.define<number | null>();

const MARK = Decoration.line({ class: "marked" });

export const markedLine = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { docChanged, effects, newDoc }) {
    const line = effects.find((effect) => effect.is(markLine))?.value;
    if (line) return Decoration.set(MARK.range(newDoc.line(Math.min(line, newDoc.lines)).from));
    return docChanged || line === null ? Decoration.none : marks;
  },
  provide: (field) => [
    EditorView.decorations.from(field),
    EditorView.contentAttributes.from(
      field,
      (marks): Record<string, string> => (marks.size ? { "aria-invalid": "true" } : {}),
    ),
  ],
});
