// Completion: names of the page's own cells, the language's and NumPy's; without asking Python.

import {
  autocompletion,
  type Completion,
  CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { localCompletionSource, pythonLanguage } from "@codemirror/lang-python";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import names from "known-names";

const NO_CODE = ["String", "FormatString", "Comment"]; // names of syntax nodes
const PARSING = 500; // milliseconds, at most; a page takes a few
const LEAST = 2; // letters before names are offered unasked

/** elsewhere: the code of the page's other cells, as it is now. */
export function completion(elsewhere: () => string): Extension {
  return autocompletion({
    icons: false,
    filterStrict: true, // by their beginning only
    override: [(context) => offered(context, elsewhere)],
    tooltipClass: () => "completions",
  });
}

function offered(context: CompletionContext, elsewhere: () => string): CompletionResult | null {
  if (NO_CODE.includes(syntaxTree(context.state).resolveInner(context.pos, -1).name)) return null;
  const typed = context.matchBefore(/[\w.]*/)?.text ?? "";
  if (/^\d/.test(typed)) return null;
  const word = typed.slice(typed.lastIndexOf(".") + 1);
  const after = typed.slice(0, typed.length - word.length);
  if (!context.explicit && !after && word.length < LEAST) return null;
  const known = names[after]?.map((label): Completion => ({ label, type: "text" })) ?? [];
  const own = after ? [] : ownNames(context, elsewhere());
  const options = [...new Map([...known, ...own].map((one) => [one.label, one])).values()];
  // A name that is already complete is no question: Enter after it begins a new line.
  if (!options.length || (!context.explicit && options.some(({ label }) => label === word)))
    return null;
  return { from: context.pos - word.length, options };
}

/** What this cell and the others define, as if all stood in one file with this one last. */
function ownNames(context: CompletionContext, elsewhere: string): readonly Completion[] {
  const above = `${elsewhere}\n`;
  const doc = above + context.state.doc.toString();
  const state = EditorState.create({ doc, extensions: pythonLanguage });
  ensureSyntaxTree(state, doc.length, PARSING);
  const parsed = state.update({}).state; // the first one keeps the tree that it began with
  const there = new CompletionContext(parsed, above.length + context.pos, true);
  const found = localCompletionSource(there) as CompletionResult | null;
  return (found?.options ?? []).map((option) => ({ ...option, boost: 1 })); // before the language's
}
