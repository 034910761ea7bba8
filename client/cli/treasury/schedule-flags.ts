import { type Command, Option } from 'commander';
import type { WrittenSchedule } from '../../sdk/index.ts';

/** Flags that set keys of a schedule: those of its file, with hyphens. What they give takes the place of what the file has. */

interface Flag {
  flags: string;
  key: keyof WrittenSchedule;
  description: string;
  read?: (text: string) => unknown;
  choices?: readonly string[];
}

const list = (text: string): string[] => text.split(',').map((part) => part.trim());

const FLAGS: readonly Flag[] = [
  { flags: '--name <name>', key: 'name', description: 'what it is called' },
  { flags: '--account <name>', key: 'account', description: 'the account with the provider' },
  {
    flags: '--kind <kind>',
    key: 'kind',
    description: 'what it does',
    choices: ['fixed_amount', 'sweep', 'top_up', 'fund_run'],
  },
  { flags: '--sell <currency>', key: 'sell', description: 'the currency that is sold' },
  { flags: '--buy <currency>', key: 'buy', description: 'the currency that is bought' },
  {
    flags: '--fixed-side <side>',
    key: 'fixed_side',
    description: 'whether the fixed amount is the one sold or the one bought',
    choices: ['sell', 'buy'],
  },
  { flags: '--amount <amount>', key: 'amount', description: 'the fixed amount' },
  { flags: '--floor <amount>', key: 'floor', description: 'the balance that a sweep leaves' },
  { flags: '--level <amount>', key: 'level', description: 'the target balance of a top-up' },
  { flags: '--min-order <amount>', key: 'min_order', description: 'the smallest amount that is converted' },
  { flags: '--max-order <amount>', key: 'max_order', description: 'the most that one order sells' },
  { flags: '--max-cost-bps <points>', key: 'max_cost_bps', description: 'the most that it costs, in basis points' },
  { flags: '--times <times>', key: 'times', description: 'local times of day, as 09:00,14:00', read: list },
  { flags: '--time-zone <zone>', key: 'time_zone', description: 'as Europe/Berlin' },
  {
    flags: '--on <days>',
    key: 'on',
    description: 'day, or days of the week as monday,friday, or days of the month as 1,15,last',
    read: daysOf,
  },
  {
    flags: '--convention <convention>',
    key: 'convention',
    description: 'what happens to a date without banking business',
    choices: ['following', 'modified_following', 'preceding', 'skip'],
  },
  { flags: '--from <date>', key: 'from', description: 'the first date' },
  { flags: '--until <date>', key: 'until', description: 'the last date' },
];

export function addScheduleFlags(command: Command): Command {
  for (const { flags, description, choices, read } of FLAGS) {
    const option = new Option(flags, description);
    if (choices !== undefined) option.choices(choices);
    if (read !== undefined) option.argParser(read);
    command.addOption(option);
  }
  return command;
}

/** The keys that flags have set. */
export function keysOfFlags(options: Readonly<Record<string, unknown>>): WrittenSchedule {
  return Object.fromEntries(
    FLAGS.flatMap(({ key }) => {
      const value = options[key.replace(/_(.)/g, (_match, letter: string) => letter.toUpperCase())];
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

function daysOf(text: string): object {
  if (text === 'day') return { every: 'day' };
  const days = list(text);
  if (!days.some((day) => day === 'last' || /^\d+$/.test(day))) return { weekdays: days };
  return { days_of_month: days.map((day) => (/^\d+$/.test(day) ? Number(day) : day)) };
}
