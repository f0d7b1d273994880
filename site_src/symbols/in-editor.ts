// Symbols in the editor: the colours that the printed code has, also while a reader types.

import { syntaxTree } from "@codemirror/language";
import { type Range, RangeSet } from "@codemirror/state";
import { Decoration, type DecorationSet, type EditorView, ViewPlugin } from "@codemirror/view";
import { symbolClass } from "./names";

export const symbolsInEditor = ViewPlugin.define(
  (view) => ({
    marks: marks(view),
    update({ view, docChanged, viewportChanged, startState, state }) {
      if (docChanged || viewportChanged || syntaxTree(startState) !== syntaxTree(state))
        this.marks = marks(view);
    },
  }),
  { decorations: (plugin) => plugin.marks },
);

function marks(view: EditorView): DecorationSet {
  const found: Range<Decoration>[] = [];
  for (const { from, to } of view.visibleRanges)
    syntaxTree(view.state).iterate({
      from,
      to,
      enter: (node) => {
        if (node.name !== "VariableName") return;
        const kind = symbolClass(view.state.sliceDoc(node.from, node.to));
        if (kind) found.push(Decoration.mark({ class: kind }).range(node.from, node.to));
      },
    });
  return RangeSet.of(found);
}
