import type { SeededRandom } from '../core/seeded-random.ts';
import { type FaultKind, faultKind, type FaultSettings, appliesTo } from './fault-kinds.ts';

type Optional<Settings> = { readonly [Key in keyof Settings]?: Settings[Key] | undefined };

/** A fault to add. */
export interface FaultSpec extends Optional<FaultSettings> {
  /** A checklist id, `*` for every operation to which the kind applies, or `webhook` for notifications. */
  readonly operation: string;
  readonly kind: FaultKind;
  /** Start at the nth matching request, counted from now; 1 is the next. */
  readonly nth?: number | undefined;
  /** From there on apply to every nth matching request; 1 is each. */
  readonly every?: number | undefined;
  /** Apply to each of these requests with this probability, 0 to 1. */
  readonly probability?: number | undefined;
  /** How many times to apply: once, unless `probability` or `every` is given. */
  readonly times?: number | undefined;
}

/** An added fault. Settings that its kind does not have are null. */
export interface Fault {
  readonly operation: string;
  readonly kind: FaultKind;
  readonly nth: number;
  readonly every: number;
  readonly probability: number;
  readonly delayMs: number | null;
  readonly status: number | null;
  readonly retryAfterSeconds: number | null;
  readonly maxResults: number | null;
  /** Matching requests so far, how many of them it was injected into, and how many are left (null: unlimited). */
  seen: number;
  injected: number;
  left: number | null;
}

/** The faults of one API key. At most one is injected into a request: the first that is due. */
export class Faults {
  readonly #random: SeededRandom;
  readonly #openOperations: readonly string[];
  #faults: Fault[] = [];

  /** `openOperations` are the checklist ids of those that need no token. */
  constructor(random: SeededRandom, openOperations: readonly string[] = []) {
    this.#random = random;
    this.#openOperations = openOperations;
  }

  add(spec: FaultSpec): void {
    const { settings = {} } = faultKind(spec.kind);
    const { retryAfterSeconds = settings.retryAfterSeconds ?? null } = spec;
    this.#faults.push({
      operation: spec.operation,
      kind: spec.kind,
      nth: spec.nth ?? 1,
      every: spec.every ?? 1,
      probability: spec.probability ?? 1,
      delayMs: spec.delayMs ?? settings.delayMs ?? null,
      status: spec.status ?? settings.status ?? null,
      retryAfterSeconds,
      maxResults: spec.maxResults ?? settings.maxResults ?? null,
      seen: 0,
      injected: 0,
      left: spec.times ?? (spec.probability === undefined && spec.every === undefined ? 1 : null),
    });
  }

  list(): readonly Readonly<Fault>[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }

  /** Selects the fault to inject into the current request, if any, and counts it. */
  take(operation: string): Readonly<Fault> | undefined {
    if (this.#faults.length === 0) return undefined;
    let selected: Fault | undefined;
    for (const fault of this.#faults) {
      if (!this.#matches(fault, operation)) continue;
      fault.seen += 1;
      if (selected || fault.left === 0 || fault.seen < fault.nth) continue;
      if ((fault.seen - fault.nth) % fault.every !== 0) continue;
      if (fault.probability < 1 && this.#random.fraction() >= fault.probability) continue;
      selected = fault;
    }
    if (selected) {
      selected.injected += 1;
      if (selected.left !== null) selected.left -= 1;
    }
    return selected;
  }

  #matches(fault: Fault, operation: string): boolean {
    if (fault.operation !== '*') return fault.operation === operation;
    return appliesTo(fault.kind, operation, this.#openOperations);
  }
}
