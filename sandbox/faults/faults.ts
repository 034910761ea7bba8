import type { Chance } from '../core/seeded-random.ts';
import { type FaultKind, faultKind, type FaultSettings, goesWith } from './fault-kinds.ts';

type Orderable<Settings> = { readonly [Key in keyof Settings]?: Settings[Key] | undefined };

export interface FaultOrder extends Orderable<FaultSettings> {
  /** A checklist id, `*` for every operation that the kind goes with, or `webhook` for notifications. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** Strike from the so-manieth matching request on, counted from now; 1 is the next. */
  readonly nth?: number | undefined;
  /** From there on strike only each so-manieth; 1 is each. */
  readonly every?: number | undefined;
  /** Strike each matching request with this probability, 0 to 1. */
  readonly probability?: number | undefined;
  /** How often to strike: once, unless `probability` or `every` is given. */
  readonly times?: number | undefined;
}

/** A fault that was ordered. Settings that its kind does not take are null. */
export interface Fault {
  readonly operation: string;
  readonly kind: FaultKind;
  readonly nth: number;
  readonly every: number;
  readonly probability: number;
  readonly delayMs: number | null;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  readonly most: number | null;
  /** How many matching requests it saw, how often it struck, how often it still may (null: as often as it likes). */
  seen: number;
  struck: number;
  left: number | null;
}

/** The faults that were ordered for one API key. At most one strikes a request: the first that is due. */
export class Faults {
  readonly #chance: Chance;
  readonly #openOperations: readonly string[];
  #faults: Fault[] = [];

  /** `openOperations` are the checklist ids of those that need no token. */
  constructor(chance: Chance, openOperations: readonly string[] = []) {
    this.#chance = chance;
    this.#openOperations = openOperations;
  }

  order(order: FaultOrder): void {
    const { settings = {} } = faultKind(order.kind);
    const { retryAfterSeconds = settings.retryAfterSeconds ?? null } = order;
    this.#faults.push({
      operation: order.operation,
      kind: order.kind,
      nth: order.nth ?? 1,
      every: order.every ?? 1,
      probability: order.probability ?? 1,
      delayMs: order.delayMs ?? settings.delayMs ?? null,
      status: order.status ?? settings.status ?? null,
      retryAfterSeconds,
      most: order.most ?? settings.most ?? null,
      seen: 0,
      struck: 0,
      left: order.times ?? (order.probability === undefined && order.every === undefined ? 1 : null),
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
      if (!this.#matches(fault, operation)) continue;
      fault.seen += 1;
      if (striking || fault.left === 0 || fault.seen < fault.nth) continue;
      if ((fault.seen - fault.nth) % fault.every !== 0) continue;
      if (fault.probability < 1 && this.#chance.fraction() >= fault.probability) continue;
      striking = fault;
    }
    if (striking) {
      striking.struck += 1;
      if (striking.left !== null) striking.left -= 1;
    }
    return striking;
  }

  #matches(fault: Fault, operation: string): boolean {
    if (fault.operation !== '*') return fault.operation === operation;
    return goesWith(fault.kind, operation, this.#openOperations);
  }
}
