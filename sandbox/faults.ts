import type { Chance } from './chance.ts';

/** What can go wrong with a request: before its effect took place, or after. */
export const requestFaultKinds = [
  'error_before',
  'error_after',
  'reset_before',
  'reset_after',
  'slow',
  'slow_after',
  'garbled_after',
  'rate_limited',
] as const;

/** What can go wrong with a notification. */
export const webhookFaultKinds = ['webhook_drop', 'webhook_duplicate', 'webhook_delay'] as const;

type FaultKind = (typeof requestFaultKinds)[number] | (typeof webhookFaultKinds)[number];

export interface FaultOrder {
  /** A checklist id, `*` for every operation, or `webhook` for notifications. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** Strike from the so-manieth matching request on, counted from now; 1 is the next. */
  readonly nth?: number | undefined;
  /** Strike each matching request with this probability, 0 to 1. */
  readonly probability?: number | undefined;
  /** How often to strike: once, unless a probability is given. */
  readonly times?: number | undefined;
  readonly delayMs?: number | undefined;
}

export interface Fault {
  readonly operation: string;
  readonly kind: FaultKind;
  readonly nth: number;
  readonly probability: number;
  readonly delayMs: number;
  /** How many matching requests it saw, how often it struck, how often it still may (null: as often as it likes). */
  seen: number;
  struck: number;
  left: number | null;
}

/** The faults that were ordered for one API key. At most one strikes a request: the first that is due. */
export class Faults {
  readonly #chance: Chance;
  #faults: Fault[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  order(order: FaultOrder): void {
    this.#faults.push({
      operation: order.operation,
      kind: order.kind,
      nth: order.nth ?? 1,
      probability: order.probability ?? 1,
      delayMs: order.delayMs ?? 1000,
      seen: 0,
      struck: 0,
      left: order.times ?? (order.probability === undefined ? 1 : null),
    });
  }

  list(): readonly Readonly<Fault>[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }

  /** The fault that strikes the request that is now at hand, if any does. */
  take(operation: string): Readonly<Fault> | undefined {
    if (this.#faults.length === 0) return undefined;
    let striking: Fault | undefined;
    for (const fault of this.#faults) {
      if (fault.operation !== operation && (fault.operation !== '*' || operation === 'webhook')) continue;
      fault.seen += 1;
      if (striking || fault.seen < fault.nth || fault.left === 0) continue;
      if (fault.probability < 1 && this.#chance.fraction() >= fault.probability) continue;
      striking = fault;
    }
    if (striking) {
      striking.struck += 1;
      if (striking.left !== null) striking.left -= 1;
    }
    return striking;
  }
}
