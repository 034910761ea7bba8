import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { carryForward, type CarriedForward } from '../../domain/reconciliation/carry-forward.ts';
import type { Fact } from '../../domain/accounts/money-fact.ts';
import { ListedEvidence } from '../../domain/reconciliation/listed-evidence.ts';
import { dateOf, type Movement } from '../../domain/reconciliation/movement.ts';
import { reconcile } from '../../domain/reconciliation/reconcile.ts';
import { SharedParts } from '../../domain/reconciliation/shared-parts.ts';
import type { BalancePair, ReconciliationInput } from '../../domain/reconciliation/reconciliation.ts';

type Terms = Pick<ReconciliationInput, 'balances' | 'asOfMs'>;

/** One line of the file that the benchmark writes: for each day its terms, followed by what it has. */
export type InputLine = { terms: Terms } | { movement: Movement } | { fact: Fact } | { listed: Fact };

/** What it prints, as one JSON document. */
export interface ReconcileMeasurements {
  /** Without reading the file. */
  secondsToReconcile: number;
  peakMemoryMiB: number;
  matched: number;
  breaks: Record<string, number>;
}

interface Day {
  terms: Terms;
  movements: Movement[];
  facts: Fact[];
  /** Made when all facts of our database are read. */
  listed: ListedEvidence | null;
}

const KIB_PER_MIB = 1024;

/** Reconciles the days of the file named on the command line, one after another, in a process that does nothing else. */
async function reconcileDays(file: string): Promise<ReconcileMeasurements> {
  let [matched, spentMs] = [0, 0];
  const breaks = new Map<string, string>();
  let carried: CarriedForward = {
    movements: [],
    openings: {},
    explained: new Set(),
    facts: [],
    suspectedDoubles: new Map(),
    knownForms: {},
  };
  for await (const day of daysOf(file)) {
    const startedMs = performance.now();
    const result = reconcile(inputOf(day, carried));
    carried = carryForward(result, carried.knownForms);
    spentMs += performance.now() - startedMs;
    matched += result.matched.length;
    for (const { breakId, type } of result.breaks) breaks.set(breakId, type);
  }
  const counts: Record<string, number> = {};
  for (const type of breaks.values()) counts[type] = (counts[type] ?? 0) + 1;
  return {
    secondsToReconcile: Math.round(spentMs / 10) / 100,
    peakMemoryMiB: Math.round(process.resourceUsage().maxRSS / KIB_PER_MIB),
    matched,
    breaks: counts,
  };
}

function inputOf({ terms, movements, facts, listed }: Day, carried: CarriedForward): ReconciliationInput {
  const balances: Record<string, BalancePair> = { ...terms.balances };
  for (const [currency, opening] of Object.entries(carried.openings)) {
    balances[currency] = { opening, closing: balances[currency]?.closing ?? null };
  }
  return {
    ...terms,
    balances,
    movements: [...carried.movements, ...movements],
    facts: [...carried.facts, ...facts],
    listed: listed?.facts ?? [],
    explained: carried.explained,
    suspectedDoubles: carried.suspectedDoubles,
    knownForms: carried.knownForms,
  };
}

/** The store keeps the instant, not the text. */
function stored(movement: Movement): Movement {
  return { ...movement, date: dateOf(movement) ?? movement.date };
}

async function* daysOf(file: string): AsyncGenerator<Day, void, undefined> {
  let day: Day | undefined;
  let shared = new SharedParts();
  for await (const line of createInterface(createReadStream(file))) {
    const read = JSON.parse(line) as InputLine;
    if ('terms' in read) {
      shared = new SharedParts();
      if (day !== undefined) yield day;
      day = { terms: read.terms, movements: [], facts: [], listed: null };
    } else if ('movement' in read) day?.movements.push(shared.movement(stored(read.movement)));
    else if ('fact' in read) day?.facts.push(shared.fact(read.fact));
    else if (day !== undefined) (day.listed ??= new ListedEvidence(day.facts)).add(read.listed);
  }
  if (day !== undefined) yield day;
}

process.stdout.write(JSON.stringify(await reconcileDays(process.argv[2] ?? '')));
