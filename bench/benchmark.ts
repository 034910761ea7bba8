/** What a benchmark found: numbers and texts, grouped under names. It is printed as one JSON document. */
export type Findings = { readonly [name: string]: Finding };

type Finding = null | boolean | number | string | Findings | readonly Finding[];

export interface Benchmark {
  readonly summary: string;
  /** The flags that it takes besides `--json`, as they are typed, with their defaults. */
  readonly usage: string;
  /**
   * Runs it. What is to be said on the way goes through `report`, as standard output holds the findings alone.
   * @throws Error for a flag that it does not take, and when a service cannot be started
   */
  readonly run: (args: readonly string[], report: (line: string) => void) => Promise<Findings>;
}
