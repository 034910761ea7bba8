import type { BenchRow } from '../engine/bench-rows.ts';
import type { BenchStack } from '../engine/bench-stack.ts';

/** One way of paying a file, measured beside the others. */
export interface Contender {
  /** Pays the rows to their end. @throws Error when it ends without a result */
  pay(task: Task): Promise<Outcome>;
}

export interface Task {
  readonly stack: BenchStack;
  readonly rows: readonly BenchRow[];
  /** When to kill what pays with SIGKILL, and to start it again at once; null: never. */
  readonly killAt: Promise<void> | null;
  readonly report: (line: string) => void;
}

export interface Outcome {
  /** From the beginning of paying until the last row's end is known. */
  readonly seconds: number;
  /** References (`row_ref`) of the rows that, by its own result, were paid. */
  readonly saidPaid: ReadonlySet<string>;
  /** The row that a provider's reference id belongs to. */
  readonly rowOf: (referenceId: string) => string | undefined;
}

/** A beneficiary as a contender other than payrun gets it: made known to the provider beforehand. */
export interface PeerRow {
  readonly rowRef: string;
  readonly beneficiaryId: string;
  readonly amount: string;
}
