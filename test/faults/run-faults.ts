import { parseArgs } from 'node:util';
import { type FaultSuite, PAYMENT_SUITE } from './fault-suite.ts';
import { ONBOARDING_SUITE } from './onboarding/onboarding-suite.ts';
import type { Outcome } from './outcome.ts';
import { openStackPool } from './stack-pool.ts';
import { TREASURY_SUITE } from './treasury/treasury-suite.ts';

/** `npm run faults`: runs random scenarios from a seed, and prints the outcomes as one JSON document. */

const USAGE =
  'npm run faults -- [--onboarding | --treasury] [--seed N] [--scenarios M] [--only K] [--chosen] [--stacks S] [--keep] [--json]';
const INTERRUPTED = 130;

const { values } = parseArgs({
  options: {
    onboarding: { type: 'boolean', default: false },
    treasury: { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
    scenarios: { type: 'string' },
    only: { type: 'string' },
    chosen: { type: 'boolean', default: false },
    stacks: { type: 'string', default: '3' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(`--${name}: takes a whole number from 1, not "${text}"\n${USAGE}`);
  process.exit(2);
}

interface Result {
  number: number;
  outcome: Outcome;
}

/** The numbers of the scenarios to play. */
function numbersOf<S extends { about: string }>({ standard, chosen }: FaultSuite<S>): number[] {
  const count = values.chosen ? chosen.length : wholeNumber('scenarios', values.scenarios ?? String(standard));
  const only = values.only === undefined ? null : wholeNumber('only', values.only);
  if (only === null) return Array.from({ length: count }, (_, index) => index + 1);
  if (!values.chosen || only <= chosen.length) return [only];
  console.error(`--only: there are ${chosen.length} chosen scenarios, and no number ${only}`);
  process.exit(2);
}

/** A chosen scenario with `--chosen`, else a random one from the seed. */
function scenarioNumbered<S extends { about: string }>(suite: FaultSuite<S>, seed: number, number: number): S {
  return (values.chosen ? suite.chosen[number - 1] : undefined) ?? suite.random(seed, number);
}

function lineOf(number: number, { about }: { about: string }, outcome: Exclude<Outcome, { kind: 'failed' }>): string {
  const name = `${number}: ${about}`;
  if (outcome.kind === 'skipped') return `skipped ${name}: ${outcome.why}`;
  const { missed, remarks } = outcome;
  // A disruption that did not happen is not a failure of payrun, but the scenario proves less.
  const notes = [
    ...(remarks === undefined ? [] : [remarks]),
    ...(missed.length === 0 ? [] : [`did not happen: ${missed.join('; ')}`]),
  ];
  return notes.length === 0 ? `passed ${name}` : `passed ${name} (${notes.join('; ')})`;
}

function reportOf({ counts }: Pick<FaultSuite<never>, 'counts'>, seed: number, results: readonly Result[]): object {
  const findings = results.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome.findings : []));
  return {
    seed,
    scenarios: results.length,
    ...Object.fromEntries(
      Object.entries(counts).map(([name, kind]) => [name, findings.filter((finding) => finding.kind === kind).length]),
    ),
    failures: results.flatMap(({ number, outcome }) =>
      outcome.kind === 'failed'
        ? [{ seed, scenario: number, what: outcome.findings.map(({ kind, what }) => `${kind}: ${what}`).join('; ') }]
        : [],
    ),
    skipped: results.flatMap(({ number, outcome }) =>
      outcome.kind === 'skipped' ? [{ seed, scenario: number, why: outcome.why }] : [],
    ),
  };
}

/** Plays the scenarios, and prints the report. False: something failed. */
async function runSuite<S extends { about: string }>(suite: FaultSuite<S>): Promise<boolean> {
  const seed = wholeNumber('seed', values.seed);
  const numbers = numbersOf(suite);
  const pool = openStackPool<S>(
    Math.min(wholeNumber('stacks', values.stacks), numbers.length),
    (stack, scenario) => suite.play(stack, scenario),
    values.keep ? (home) => console.error(`the logs are in ${home}/logs`) : undefined,
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      console.error('stopping');
      void pool.stop().finally(() => process.exit(INTERRUPTED));
    });
  }
  const runOne = async (number: number): Promise<Result> => {
    const scenario = scenarioNumbered(suite, seed, number);
    const outcome = await pool.run(scenario);
    if (outcome.kind === 'failed') {
      const lines = outcome.findings.map(({ kind, what }) => `  ${kind}: ${what}`);
      console.error(`FAILED ${number}: ${suite.describe(scenario)}\n${lines.join('\n')}`);
    } else console.error(lineOf(number, scenario, outcome));
    return { number, outcome };
  };
  const results = await Promise.all(numbers.map(runOne)).finally(() => pool.stop());
  console.log(JSON.stringify(reportOf(suite, seed, results), null, values.json ? 0 : 2));
  return results.every(({ outcome }) => outcome.kind !== 'failed');
}

async function runChosenSuite(): Promise<boolean> {
  if (values.treasury) return runSuite(TREASURY_SUITE);
  return values.onboarding ? runSuite(ONBOARDING_SUITE) : runSuite(PAYMENT_SUITE);
}

const hasPassed = await runChosenSuite();
process.exit(hasPassed ? 0 : 1);
