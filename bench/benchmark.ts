/** The result of a benchmark: numbers and texts in named groups. It is printed as one JSON document. */
export type Figures = { readonly [name: string]: Figure };

type Figure = null | boolean | number | string | Figures | readonly Figure[];

export interface Benchmark {
  readonly summary: string;
  /** Its flags besides `--json`, as they are typed, with their defaults. */
  readonly usage: string;
  /**
   * Runs it. Progress goes to `report`, because standard output is for the figures alone.
   * @throws Error for an unknown flag, and when a service cannot be started
   */
  readonly run: (args: readonly string[], report: (line: string) => void) => Promise<Figures>;
}
