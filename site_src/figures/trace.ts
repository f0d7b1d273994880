// What trace.py returns, as the browser reads it.

export interface Source {
  matrix: string;
  part: "row" | "column" | "cell"; // of that matrix
  by: "row" | "column" | "cell"; // of the number that is explained
}

export interface Matrix {
  name: string;
  symbol: string | null;
  title: string;
  rows: string[];
  columns: string[];
  values: number[][];
  shown: string[][];
  how: string[][] | null;
  sources: Source[];
  editable: boolean;
}

export interface Step {
  key: string;
  title: string;
  says: string;
  takes: string[];
  makes: string[];
}

export type Inputs = Record<string, string | number | boolean | string[] | number[] | number[][]>;

/** Inputs of figures about words. */
export interface Worded extends Inputs {
  words: string[];
}

export interface Trace {
  inputs: Inputs;
  matrices: Matrix[];
  steps: Step[];
  mistakes?: Record<string, string>;
  changed?: Record<string, boolean[][]>; // by a mistake
  verdict?: string; // a sentence on the whole
  picture?: string; // what a picture of it shows, in words
  code?: string; // the inputs as Python
}

/** Where the shown numbers come from. */
export type Origin = "page" | "cell" | "edited";

/** What a figure offers to the view that draws it. */
export interface Figure {
  readonly traces: Record<string, Trace>;
  /** Asks for other inputs; answered by a call of draw. */
  change(inputs: Inputs): void;
  say(sentence: string): void;
  /** Names the step that is shown; a formula in the figure lights up its part. */
  show(step: string): void;
}

/** A drawing: draw is called with each new trace. */
export interface View {
  /** Where in the figure the reader is, as plain data: part of a link to it. */
  place: unknown;
  draw(trace: Trace): void;
}
