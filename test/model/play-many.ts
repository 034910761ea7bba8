import type { Violation } from './checks.ts';
import { type History, historyOf, play, shrink } from './play.ts';
import type { Place } from './world.ts';

export interface FoundViolation {
  number: number;
  violation: Violation;
  /** Without the events that it does not need. */
  history: History;
}

/** Of so many, the events are looked at one by one. */
const MAX_SHRUNK = 3;

/** Plays numbered histories of a seed, each place one after another. */
export async function playMany(
  places: readonly Place[],
  {
    seed,
    numbers,
    until = Infinity,
    report = () => undefined,
  }: { seed: number; numbers: readonly number[]; until?: number; report?: (line: string) => void },
): Promise<{ events: number; violations: FoundViolation[] }> {
  const waiting = [...numbers];
  const violations: FoundViolation[] = [];
  let events = 0;
  // Another account each time that the same history is played in a database.
  const playing = Date.now().toString(36);
  const playAll = async (place: Place): Promise<void> => {
    for (;;) {
      const number = waiting.shift();
      if (number === undefined || violations.length >= until) return;
      const history = historyOf(seed, number);
      const account = `${playing}-${seed}-${number}`;
      const played = await play(place, account, history);
      events += played.events;
      if (played.violation === null) continue;
      const found = { number, violation: played.violation, history };
      report(`history ${number}: ${played.violation.rule}: ${played.violation.detail.slice(0, 300)}`);
      violations.push(found);
      if (violations.length <= MAX_SHRUNK) found.history = await shrink(place, account, history, played.violation);
    }
  };
  await Promise.all(places.map(playAll));
  return { events, violations };
}
