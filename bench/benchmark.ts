/** The result of a benchmark: numbers and texts in named groups. It is printed as one JSON document. */
export type Measurements = { readonly [name: string]: Measurement };

type Measurement = null | boolean | number | string | Measurements | readonly Measurement[];

export interface Benchmark {
  readonly summary: string;
  /** Its flags besides `--json`, as they are typed, with their defaults. */
  readonly usage: string;
  /**
   * Runs it. Progress goes to `report`, because standard output is for the measurements alone.
   * @throws Error for an unknown flag, and when a service cannot be started
   */
  readonly run: (args: readonly string[], report: (line: string) => void) => Promise<Measurements>;
}

/** The value of a flag that takes a whole number. @throws Error that names the flag and the values that it takes */
export function wholeNumber(name: string, text: string, min: number): number {
  const value = Number(text);
  if (/^\d{1,9}$/.test(text) && value >= min) return value;
  throw new Error(`--${name}: takes a whole number, ${min} or more, not "${text}"`);
}
