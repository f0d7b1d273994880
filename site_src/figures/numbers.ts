// Short hands for numbers in pictures.

/** A number with two decimals and a real minus sign. */
export function written(value: number): string {
  return value.toFixed(2).replace("-", "−");
}

/** A number for an axis: whole, or with one decimal where that says more. */
export function short(value: number): string {
  const decimals = Math.abs(value) < 10 ? 10 : 1;
  return String(Math.round(value * decimals) / decimals).replace("-", "−");
}

/** 0, 1, … below a length. */
export function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** The nearest place in a row of some length; what is no number is the first. */
export function within(index: number, length: number): number {
  return Math.min(Math.max(Math.trunc(index) || 0, 0), length - 1);
}
