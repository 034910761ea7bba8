import { check, type Violation } from './checks.ts';
import { Dice } from './dice.ts';
import { EVENTS, type EventName, MEANWHILE } from './events.ts';
import { checkQuietEnd, playQuietEnd } from './quiet-end.ts';
import { BOUGHT, FIRST_BALANCE } from './schedules.ts';
import { someEvents, someTheme, themeOf, type ThemeName } from './themes.ts';
import * as worker from './worker-events.ts';
import { type Place, World } from './world.ts';

/** Histories: events in a random order, from a seed. */

/** `dice`: the seed of its choices, so that it makes the same ones when others are left out. */
export interface PlannedEvent {
  name: EventName;
  dice: number;
}

export interface History {
  seed: number;
  theme: ThemeName;
  events: PlannedEvent[];
}

export function historyOf(seed: number, number: number): History {
  const dice = new Dice(seed * 1_000_003 + number);
  const theme = someTheme(dice);
  const names = someEvents(dice, themeOf(theme));
  return { seed: dice.seed(), theme, events: names.map((name) => ({ name, dice: dice.seed() })) };
}

export interface Played {
  violation: Violation | null;
  /** How many events happened. */
  events: number;
}

/** Plays a history, under an account of its own, up to the first event after which a rule does not hold. */
export async function play(
  place: Place,
  account: string,
  { seed, theme, events }: History,
  inject?: (world: World) => void,
): Promise<Played> {
  const world = new World(account, place, { seed, theme: themeOf(theme) });
  inject?.(world);
  let happened = 0;
  try {
    await openAccount(world);
    for (const planned of events) {
      if (!(await happens(world, planned))) continue;
      happened += 1;
      const violation = await check(world);
      if (violation !== null) return { violation, events: happened };
    }
    world.meanwhile = () => Promise.resolve();
    world.dice = new Dice(seed);
    await playQuietEnd(world);
    return { violation: (await check(world)) ?? (await checkQuietEnd(world)), events: happened };
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { violation: { rule: 'unexpected_error', detail }, events: happened };
  }
}

/** Money is there, and its history is followed, before anything is paid. */
async function openAccount(world: World): Promise<void> {
  world.provider.open({ USD: 100_000, EUR: 30_000, [BOUGHT]: FIRST_BALANCE });
  world.isFaulty = false;
  await worker.readHistory(world);
  world.isFaulty = true;
}

async function happens(world: World, { name, dice }: PlannedEvent): Promise<boolean> {
  world.dice = new Dice(dice);
  world.provider.dice = new Dice(dice + 1);
  world.meanwhile = async () => {
    // One thing, within which nothing else happens.
    world.meanwhile = () => Promise.resolve();
    const outer = world.dice;
    world.dice = new Dice(outer.seed());
    await EVENTS[world.dice.pick(MEANWHILE)].event(world);
    world.dice = outer;
  };
  // Nothing happens at the same moment.
  world.place.time.pass(1_000 + world.dice.below(5_000));
  return EVENTS[name].event(world);
}

/** Leaves events out as long as the same rule is broken without them. */
export async function shrink(place: Place, account: string, history: History, { rule }: Violation): Promise<History> {
  let { events } = history;
  let tries = 0;
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const fewer = events.filter((_, at) => at !== index);
    tries += 1;
    const { violation } = await play(place, `${account}-${tries}`, { ...history, events: fewer });
    if (violation?.rule === rule) events = fewer;
  }
  return { ...history, events };
}
