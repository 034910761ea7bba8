import { parseArgs } from 'node:util';
import { type DatabaseUrls, openPlace, prepareDatabase, startDatabase } from './places.ts';
import { noticeDefects, type Noticed } from './notice-defects.ts';
import { type FoundViolation, playMany } from './play-many.ts';
import type { People } from './world.ts';

/** `npm run model`: plays random histories from a seed, and prints what did not hold, with its events. */

const USAGE = 'npm run model -- [--seed N] [--histories M] [--only K] [--places P] [--defects] [--json]';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '1000' },
    only: { type: 'string' },
    places: { type: 'string', default: '4' },
    defects: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  console.error(`--${name}: takes a whole number from 1, not "${text}"\n${USAGE}`);
  process.exit(2);
}

function print({ number, violation, history }: FoundViolation): void {
  console.log(`history ${number}: ${violation.rule}: ${violation.detail}`);
  for (const { name, dice } of history.events) console.log(`  ${name} (${dice})`);
}

const seed = wholeNumber('seed', values.seed);
const only = values.only === undefined ? null : wholeNumber('only', values.only);
const count = wholeNumber('histories', values.histories);
const numbers = only === null ? Array.from({ length: count }, (_, index) => index + 1) : [only];

const urls = await startDatabase((line) => console.error(line));
try {
  const people = await prepareDatabase(urls);
  process.exitCode = (await (values.defects ? showDefects(urls, people) : playHistories(urls, people))) ? 0 : 1;
} finally {
  await urls.stop();
}

/** Whether every rule held. */
async function playHistories(of: DatabaseUrls, people: People): Promise<boolean> {
  const places = Array.from({ length: only === null ? wholeNumber('places', values.places) : 1 }, () =>
    openPlace(of, people),
  );
  const startedMs = performance.now();
  const { events, violations } = await playMany(places, {
    ...{ seed, numbers },
    report: (line) => console.error(line),
  });
  const seconds = (performance.now() - startedMs) / 1_000;
  await Promise.all(places.map((place) => place.close()));
  const histories = numbers.length;
  const perMinute = Math.round((histories * 60) / seconds);
  if (values.json) {
    console.log(
      JSON.stringify({ seed, histories, events, perMinute, violations: violations.length, found: violations }),
    );
  } else {
    violations.forEach(print);
    console.log(
      `${histories} histories, ${events} events, ${perMinute} histories a minute, ${violations.length} violations`,
    );
  }
  return violations.length === 0;
}

/** Whether every defect was noticed. */
async function showDefects(of: DatabaseUrls, people: People): Promise<boolean> {
  const report = ({ defect, after, rule }: Noticed): void => {
    if (!values.json) console.log(after === null ? `not noticed: ${defect}` : `after ${after}: ${defect} (${rule})`);
  };
  const noticed = await noticeDefects(of, people, { seed, most: count, report });
  if (values.json) console.log(JSON.stringify(noticed));
  return noticed.every(({ after }) => after !== null);
}
