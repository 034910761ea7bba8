import { parseArgs } from 'node:util';
import { CHOSEN_SCENARIOS } from './chosen-scenarios.ts';
import { randomScenario } from './random-scenario.ts';
import { openStackPool } from './stack-pool.ts';
import type { Outcome } from './run-scenario.ts';
import { describeScenario, type Scenario } from './scenario.ts';

/** `npm run faults`: runs random scenarios from a seed, and prints the outcomes as one JSON document. */

const USAGE = 'npm run faults -- [--seed N] [--scenarios M] [--only K] [--chosen] [--stacks S] [--keep] [--json]';
const INTERRUPTED = 130;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    scenarios: { type: 'string', default: '300' },
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
  scenario: Scenario;
  outcome: Outcome;
}

const seed = wholeNumber('seed', values.seed);
const only = values.only === undefined ? null : wholeNumber('only', values.only);
const scenarios = values.chosen ? CHOSEN_SCENARIOS.length : wholeNumber('scenarios', values.scenarios);
const numbers = only === null ? Array.from({ length: scenarios }, (_, index) => index + 1) : [only];

/** A chosen scenario with `--chosen`, else a random one from the seed. */
function scenarioNumbered(number: number): Scenario {
  if (!values.chosen) return randomScenario(seed, number);
  const chosen = CHOSEN_SCENARIOS[number - 1];
  if (chosen !== undefined) return chosen;
  console.error(`--only: there are ${CHOSEN_SCENARIOS.length} chosen scenarios, and no number ${number}`);
  process.exit(2);
}

const pool = openStackPool(
  Math.min(wholeNumber('stacks', values.stacks), numbers.length),
  values.keep ? (home) => console.error(`the logs are in ${home}/logs`) : undefined,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error('stopping');
    void pool.stop().finally(() => process.exit(INTERRUPTED));
  });
}

async function runOne(number: number): Promise<Result> {
  const scenario = scenarioNumbered(number);
  const outcome = await pool.run(scenario);
  const name = `${number}: ${scenario.about}`;
  if (outcome.kind === 'failed') {
    const lines = outcome.findings.map(({ kind, what }) => `  ${kind}: ${what}`);
    console.error(`FAILED ${number}: ${describeScenario(scenario)}\n${lines.join('\n')}`);
  } else
    console.error(outcome.kind === 'passed' ? passedLine(name, outcome.missed) : `skipped ${name}: ${outcome.why}`);
  return { number, scenario, outcome };
}

/** A disruption that did not happen is not a failure of payrun, but the scenario proves less. */
function passedLine(name: string, missed: readonly string[]): string {
  return missed.length === 0 ? `passed ${name}` : `passed ${name} (did not happen: ${missed.join('; ')})`;
}

function reportOf(results: readonly Result[]): object {
  const findings = results.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome.findings : []));
  const count = (kind: string): number => findings.filter((finding) => finding.kind === kind).length;
  return {
    seed,
    scenarios: results.length,
    paidTwice: count('paidTwice'),
    lost: count('lost'),
    disagreements: count('disagreement'),
    unknown: count('unknown'),
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

const results = await Promise.all(numbers.map(runOne)).finally(() => pool.stop());
const report = reportOf(results);
console.log(JSON.stringify(report, null, values.json ? 0 : 2));
process.exit(results.some(({ outcome }) => outcome.kind === 'failed') ? 1 : 0);
