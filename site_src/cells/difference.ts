// What a reader has changed: the printed lines above those that replaced them, in the editor.

import { unifiedMergeView } from "@codemirror/merge";
import type { Extension } from "@codemirror/state";

export function difference(printed: string): Extension {
  return unifiedMergeView({
    original: printed,
    mergeControls: false,
    gutter: false,
    allowInlineDiffs: false,
  });
}
