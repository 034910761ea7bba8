import type { SandboxOptions } from '../../sandbox/config/options.ts';
import type { PaymentState } from '../../domain/payments/payment-state.ts';
import type { FaultSpec } from '../../sandbox/faults/faults.ts';

/** The kinds of rows in the payment file. */
export type RowKind =
  /** To its own beneficiary, with a fixed sell amount. */
  | 'sell'
  /** Like `sell`, with a fixed buy amount. */
  | 'buy'
  /** All rows of this kind share one new beneficiary. */
  | 'shared_beneficiary'
  /** To the shared beneficiary with another address, which makes it a different beneficiary. */
  | 'corrected_beneficiary'
  /** Paid from another currency. */
  | 'other_currency'
  /** A suspected duplicate of the first row, which the checker releases. */
  | 'released'
  /** To a beneficiary that exists at the provider, given by its id. */
  | 'known_beneficiary'
  /** With a supporting file. */
  | 'file'
  /** The provider rejects or fails the payment after it was funded. */
  | 'rejected_later'
  | 'failed_later';

/** When an action starts: on a condition and not at a time, so that a seed always gives the same scenario. */
export type Trigger =
  | { on: 'approved' }
  /** Right before the file is submitted. */
  | { on: 'submitted' }
  /** The worker sent the n-th request of an operation, or the sandbox processed it and its answer is on the way. */
  | { on: 'request'; operation: string; nth: number; phase: 'sent' | 'processed' }
  /** At least this many rows of the run are in one of the states. */
  | { on: 'rows'; states: readonly PaymentState[]; atLeast: number };

export type Service = 'worker' | 'server' | 'temporal' | 'postgres';

/** An action on a worker affects the one that sent the triggering request, else the first one. */
export type Action =
  | { kind: 'kill'; services: readonly Service[] }
  | { kind: 'freeze_worker'; forMs: number }
  | { kind: 'jump_clock'; byMs: number }
  /** Resets all connections to the provider, and new ones during `forMs`. */
  | { kind: 'cut_provider'; forMs: number }
  | { kind: 'disconnect_postgres' | 'disconnect_temporal'; how: 'refuse' | 'hang' | 'reset'; forMs: number }
  | { kind: 'fill_disk'; forMs: number }
  /** The next reads of a payment show its state before the funding. */
  | { kind: 'stale_reads'; times: number }
  /** The next answers about payments lack their creation time. */
  | { kind: 'omit_creation_times'; times: number }
  /** Sends webhooks that report unfunded payments as completed. */
  | { kind: 'forge_webhooks' }
  /** Deposits money into a balance. */
  | { kind: 'deposit'; currency: string; amount: string };

export interface Disruption {
  trigger: Trigger;
  action: Action;
}

/** One payment run with everything that goes wrong in it. */
export interface Scenario {
  seed: number;
  /** Its title. */
  about: string;
  rows: readonly RowKind[];
  workers: 1 | 2;
  /** The error of each worker's wall clock in milliseconds. */
  clocksMs: readonly number[];
  webhooks: boolean;
  /** Options of the sandbox that differ from the suite's defaults. */
  sandbox: {
    findLagMs?: number;
    maxFindResults?: number;
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
  faults: readonly FaultSpec[];
  disruptions: readonly Disruption[];
  /** The outcome of a payment cannot be determined, so rows may end `unknown`. */
  mayEndUnknown?: boolean;
}

export function describeTrigger(trigger: Trigger): string {
  switch (trigger.on) {
    case 'approved':
      return 'at the approval';
    case 'submitted':
      return 'at the submission';
    case 'request':
      return `when ${trigger.operation} no. ${trigger.nth} ${trigger.phase === 'sent' ? 'was sent' : 'was processed'}`;
    case 'rows':
      return `with ${trigger.atLeast} rows ${trigger.states.join(' or ')}`;
  }
}

export function describeAction({ kind, ...parts }: { kind: string }): string {
  const words = Object.values(parts).map((part) => (Array.isArray(part) ? part.join('+') : String(part)));
  return [kind, ...words].join(' ');
}

export function describeDisruption({ trigger, action }: Disruption): string {
  return `${describeTrigger(trigger)}: ${describeAction(action)}`;
}

export function describeFault({ operation, kind, ...parts }: FaultSpec): string {
  const settings = Object.entries(parts).map(([name, value]) => `${name} ${String(value)}`);
  return [`${kind} on ${operation}`, ...settings].join(' ');
}

/** The scenario as a few lines of text. */
export function describeScenario(scenario: Scenario): string {
  const { rows, workers, clocksMs, webhooks, sandbox, faults, disruptions } = scenario;
  return [
    `${scenario.about} (seed ${scenario.seed})`,
    `  rows: ${rows.join(' ')}`,
    `  workers: ${workers}, clocks off by ${clocksMs.join(', ')} ms; webhooks ${webhooks ? 'on' : 'off'}`,
    ...(Object.keys(sandbox).length === 0 ? [] : [`  sandbox: ${JSON.stringify(sandbox)}`]),
    ...faults.map((fault) => `  fault: ${describeFault(fault)}`),
    ...disruptions.map((disruption) => `  ${describeDisruption(disruption)}`),
  ].join('\n');
}
