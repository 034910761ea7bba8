import { parseArgs } from 'node:util';
import { CHOSEN_SCENARIOS } from './chosen-scenarios.ts';
import { drawScenario } from './draw-scenario.ts';
import { openFaultStage } from './fault-stage.ts';
import type { Outcome } from './run-scenario.ts';
import { type Scenario, scenarioInWords } from './scenario.ts';

/** `npm run faults`: plays scenarios drawn from a seed, and prints what became of them as one JSON document. */

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

interface Played {
  number: number;
  scenario: Scenario;
  outcome: Outcome;
}

const seed = wholeNumber('seed', values.seed);
const only = values.only === undefined ? null : wholeNumber('only', values.only);
const scenarios = values.chosen ? CHOSEN_SCENARIOS.length : wholeNumber('scenarios', values.scenarios);
const numbers = only === null ? Array.from({ length: scenarios }, (_, index) => index + 1) : [only];

/** Those of the test run, or what the seed gives. */
function scenarioNumbered(number: number): Scenario {
  if (!values.chosen) return drawScenario(seed, number);
  const chosen = CHOSEN_SCENARIOS[number - 1];
  if (chosen !== undefined) return chosen;
  console.error(`--only: there are ${CHOSEN_SCENARIOS.length} chosen scenarios, and no number ${number}`);
  process.exit(2);
}

const stage = openFaultStage(
  Math.min(wholeNumber('stacks', values.stacks), numbers.length),
  values.keep ? (home) => console.error(`the logs are in ${home}/logs`) : undefined,
);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    console.error('stopping');
    void stage.stop().finally(() => process.exit(INTERRUPTED));
  });
}

async function playOne(number: number): Promise<Played> {
  const scenario = scenarioNumbered(number);
  const outcome = await stage.play(scenario);
  const name = `${number}: ${scenario.about}`;
  if (outcome.kind === 'failed') {
    const lines = outcome.findings.map(({ kind, what }) => `  ${kind}: ${what}`);
    console.error(`FAILED ${number}: ${scenarioInWords(scenario)}\n${lines.join('\n')}`);
  } else
    console.error(outcome.kind === 'passed' ? passedLine(name, outcome.missed) : `skipped ${name}: ${outcome.why}`);
  return { number, scenario, outcome };
}

/** A part that never came is no failure of payrun; but a scenario that misses all of it shows nothing. */
function passedLine(name: string, missed: readonly string[]): string {
  return missed.length === 0 ? `passed ${name}` : `passed ${name} (never came: ${missed.join('; ')})`;
}

function reportOf(played: readonly Played[]): object {
  const findings = played.flatMap(({ outcome }) => (outcome.kind === 'failed' ? outcome.findings : []));
  const count = (kind: string): number => findings.filter((finding) => finding.kind === kind).length;
  return {
    seed,
    scenarios: played.length,
    paidTwice: count('paidTwice'),
    lost: count('lost'),
    disagreements: count('disagreement'),
    unknown: count('unknown'),
    failures: played.flatMap(({ number, outcome }) =>
      outcome.kind === 'failed'
        ? [{ seed, scenario: number, what: outcome.findings.map(({ kind, what }) => `${kind}: ${what}`).join('; ') }]
        : [],
    ),
    skipped: played.flatMap(({ number, outcome }) =>
      outcome.kind === 'skipped' ? [{ seed, scenario: number, why: outcome.why }] : [],
    ),
  };
}

const played = await Promise.all(numbers.map(playOne)).finally(() => stage.stop());
const report = reportOf(played);
console.log(JSON.stringify(report, null, values.json ? 0 : 2));
process.exit(played.some(({ outcome }) => outcome.kind === 'failed') ? 1 : 0);
