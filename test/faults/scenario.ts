import type { SandboxOptions } from '../../sandbox/config/defaults.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { FaultOrder } from '../../sandbox/faults/faults.ts';

/** What a row of the payment file is like. */
export type RowKind =
  /** A beneficiary of its own, the sold amount fixed. */
  | 'sell'
  /** As `sell`, the bought amount fixed. */
  | 'buy'
  /** The same new beneficiary as every other row of this kind. */
  | 'shared_beneficiary'
  /** The same beneficiary at another address, which is a beneficiary of its own. */
  | 'corrected_beneficiary'
  /** Paid from another currency. */
  | 'other_currency'
  /** The same beneficiary and amount as the first row: a suspected duplicate, which the checker releases. */
  | 'released'
  /** A beneficiary that the provider knows, named by its id. */
  | 'known_beneficiary'
  /** With a supporting file. */
  | 'file'
  /** The provider rejects it, or lets it fail, after it was funded. */
  | 'rejected_later'
  | 'failed_later';

/** When something happens: by a condition and not by time, so that a seed means the same thing each time. */
export type Moment =
  | { on: 'approved' }
  /** Right before the file is submitted. */
  | { on: 'submitted' }
  /** The n-th request of an operation has left the worker, or was carried out and its answer is on the way. */
  | { on: 'request'; operation: string; nth: number; phase: 'left' | 'carried_out' }
  /** So many rows of the run are in one of the states. */
  | { on: 'rows'; states: readonly PaymentState[]; atLeast: number };

export type Service = 'worker' | 'server' | 'temporal' | 'postgres';

/** What happens. `worker` without a number is the one whose request the moment was; else the first. */
export type Action =
  | { kind: 'kill'; services: readonly Service[] }
  | { kind: 'freeze_worker'; forMs: number }
  | { kind: 'jump_clock'; byMs: number }
  /** All connections to the provider break at once; with a time, new ones break as well for that long. */
  | { kind: 'cut_provider'; forMs: number }
  | { kind: 'lose_postgres' | 'lose_temporal'; how: 'refuse' | 'hang' | 'reset'; forMs: number }
  | { kind: 'fill_disk'; forMs: number }
  /** The next reads of a payment show it as it was before it was funded. */
  | { kind: 'stale_reads'; times: number }
  /** The next answers about payments do not say when they were created. */
  | { kind: 'no_creation_times'; times: number }
  /** Webhooks say of payments that were never funded that they are completed. */
  | { kind: 'forge_webhooks' }
  | { kind: 'money_comes'; currency: string; amount: string };

export interface Disturbance {
  at: Moment;
  does: Action;
}

/** One run of payrun with all that goes wrong in it. */
export interface Scenario {
  seed: number;
  /** What it is about, for people. */
  about: string;
  rows: readonly RowKind[];
  workers: 1 | 2;
  /** How far each worker's wall clock is off, in milliseconds. */
  clocksMs: readonly number[];
  webhooks: boolean;
  /** Options of the sandbox that differ from the usual. */
  sandbox: {
    findLagMs?: number;
    findMost?: number;
    completionMinMs?: number;
    completionMaxMs?: number;
    quoteTtlMs?: number;
    tokenTtlMs?: number;
    uploadTtlMs?: number;
    balances?: Record<string, string>;
    duplicateReference?: SandboxOptions['duplicateReference'];
    secondFunding?: SandboxOptions['secondFunding'];
    failureReason?: SandboxOptions['failureReason'];
    refundEvents?: SandboxOptions['refundEvents'];
  };
  faults: readonly FaultOrder[];
  disturbances: readonly Disturbance[];
  /** The truth cannot be found out in it, so that rows may end `unknown`. */
  mayEndUnknown?: boolean;
}

function momentInWords(moment: Moment): string {
  switch (moment.on) {
    case 'approved':
      return 'at the approval';
    case 'submitted':
      return 'at the submission';
    case 'request':
      return `when ${moment.operation} no. ${moment.nth} ${moment.phase === 'left' ? 'has left' : 'was carried out'}`;
    case 'rows':
      return `with ${moment.atLeast} rows ${moment.states.join(' or ')}`;
  }
}

function actionInWords({ kind, ...parts }: Action): string {
  const words = Object.values(parts).map((part) => (Array.isArray(part) ? part.join('+') : String(part)));
  return [kind, ...words].join(' ');
}

export function disturbanceInWords({ at, does }: Disturbance): string {
  return `${momentInWords(at)}: ${actionInWords(does)}`;
}

function faultInWords({ operation, kind, ...parts }: FaultOrder): string {
  const settings = Object.entries(parts).map(([name, value]) => `${name} ${String(value)}`);
  return [`${kind} on ${operation}`, ...settings].join(' ');
}

/** A scenario on a few lines, for people who look for what broke. */
export function scenarioInWords(scenario: Scenario): string {
  const { rows, workers, clocksMs, webhooks, sandbox, faults, disturbances } = scenario;
  return [
    `${scenario.about} (seed ${scenario.seed})`,
    `  rows: ${rows.join(' ')}`,
    `  workers: ${workers}, clocks off by ${clocksMs.join(', ')} ms; webhooks ${webhooks ? 'on' : 'off'}`,
    ...(Object.keys(sandbox).length === 0 ? [] : [`  sandbox: ${JSON.stringify(sandbox)}`]),
    ...faults.map((fault) => `  fault: ${faultInWords(fault)}`),
    ...disturbances.map((disturbance) => `  ${disturbanceInWords(disturbance)}`),
  ].join('\n');
}
