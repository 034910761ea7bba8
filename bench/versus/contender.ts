import type { PaymentRow } from '../../fixtures/payment-rows.ts';
import type { BenchStack } from '../harness/bench-stack.ts';

/** One way of paying a file, compared with others. */
export interface Contender {
  /** Pays the rows until each has ended. @throws Error when there is no result */
  pay(task: Task): Promise<Outcome>;
}

export interface Task {
  readonly stack: BenchStack;
  readonly rows: readonly PaymentRow[];
  /** When to kill the paying process with SIGKILL and restart it at once; null: never. */
  readonly killAt: Promise<void> | null;
  readonly report: (line: string) => void;
}

export interface Outcome {
  /** From the start of paying until the end of the last row is known. */
  readonly seconds: number;
  /** The `row_ref` of the rows that the contender reports as paid. */
  readonly saidPaid: ReadonlySet<string>;
  /** The `row_ref` for a reference id at the provider. */
  readonly rowOf: (referenceId: string) => string | undefined;
}

/** A row as contenders other than payrun get it: its beneficiary was created at the provider before. */
export interface PreparedRow {
  readonly rowRef: string;
  readonly beneficiaryId: string;
  readonly amount: string;
}
