import { parseArgs } from 'node:util';
import { openPlace, prepareDatabase, startDatabase } from './places.ts';
import { type FoundViolation, playMany } from './play-many.ts';

/** `npm run model`: plays random histories from a seed, and prints what did not hold, with its events. */

const USAGE = 'npm run model -- [--seed N] [--histories M] [--only K] [--places P] [--json]';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    histories: { type: 'string', default: '1000' },
    only: { type: 'string' },
    places: { type: 'string', default: '4' },
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
  const places = Array.from({ length: only === null ? wholeNumber('places', values.places) : 1 }, () =>
    openPlace(urls, people),
  );
  const startedMs = performance.now();
  const { events, violations } = await playMany(places, { seed, numbers });
  const seconds = (performance.now() - startedMs) / 1_000;
  await Promise.all(places.map((place) => place.close()));
  const result = {
    seed,
    histories: numbers.length,
    events,
    seconds: Math.round(seconds),
    violations: violations.length,
  };
  if (values.json) console.log(JSON.stringify({ ...result, found: violations }));
  else {
    violations.forEach(print);
    const perMinute = Math.round((numbers.length * 60) / seconds);
    console.log(
      `${numbers.length} histories, ${events} events, ${perMinute} histories a minute, ${violations.length} violations`,
    );
  }
  process.exitCode = violations.length === 0 ? 0 : 1;
} finally {
  await urls.stop();
}
