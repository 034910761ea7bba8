import type { Dice } from './dice.ts';
import { EVENTS, type EventName, OF_BOTH, OF_CONVERSIONS, OF_PAYMENTS } from './events.ts';
import { FAULTS, type Troubles } from './simulated-transport.ts';

/** What a history is about: which events it has, and what goes wrong in it more often than elsewhere. */
export interface Theme extends Troubles {
  first: readonly EventName[];
  /** How often each event is chosen. */
  events: Partial<Record<EventName, number>>;
}

const weightsOf = (events: Partial<Record<EventName, { weight: number }>>): Theme['events'] =>
  Object.fromEntries(Object.entries(events).map(([name, { weight }]) => [name, weight]));

const USUAL = { faults: { create: FAULTS, fund: FAULTS }, otherPrice: 0.04, isLate: false };
const PAYMENTS: Theme = {
  ...USUAL,
  first: ['submitRun', 'beginRows'],
  events: weightsOf({ ...OF_BOTH, ...OF_PAYMENTS }),
};
const CONVERSIONS: Theme = {
  ...USUAL,
  first: ['occurrence', 'orderSteps'],
  events: weightsOf({ ...OF_BOTH, ...OF_CONVERSIONS }),
};

const THEMES = {
  payments: PAYMENTS,
  conversions: CONVERSIONS,
  both: { ...USUAL, first: ['submitRun', 'beginRows', 'occurrence'], events: weightsOf(EVENTS) },
  /** What is created costs more than it was said to. */
  prices: {
    ...PAYMENTS,
    otherPrice: 0.4,
    events: { paymentSteps: 30, beginRows: 5, submitRun: 4, poll: 3, readHistory: 2 },
  },
  /** Conversions lapse whose money was asked for, others are ordered, and the old ones are carried out after all. */
  lapses: {
    ...CONVERSIONS,
    isLate: true,
    faults: { create: FAULTS, fund: { ...FAULTS, carried_out_late: 60 } },
    first: [
      ...(['occurrence', 'orderSteps', 'orderSteps', 'orderSteps', 'minutesPass', 'orderSteps'] as const),
      ...(['hoursPass', 'orderSteps', 'occurrence', 'orderSteps', 'orderSteps', 'orderSteps'] as const),
    ],
    events: {
      ...{ orderSteps: 30, occurrence: 8, lateEffect: 20, timePasses: 5, hoursPass: 5, readHistory: 6 },
      ...{ resolveOrder: 2, withdrawal: 2 },
    },
  },
  /** Equal payments, of which one is not seen to be funded. */
  equals: {
    ...PAYMENTS,
    faults: { create: { ...FAULTS, none: 200 }, fund: { ...FAULTS, request_lost: 30, carried_out_late: 30 } },
    first: ['submitRun', 'submitRun', 'beginRows', 'beginRows'],
    events: {
      ...{ paymentSteps: 50, timePasses: 4, poll: 6, readHistory: 14, submitRun: 3, beginRows: 6, paymentEnds: 6 },
      ...{ lateEffect: 3, resolveRow: 3, workflowIsLost: 2, deposit: 1, hoursPass: 1 },
    },
  },
  /** Runs are cancelled while rows are being created. */
  cancels: {
    ...PAYMENTS,
    faults: { create: { ...FAULTS, carried_out_late: 25, request_lost: 10 }, fund: FAULTS },
    events: {
      ...{ paymentSteps: 30, submitRun: 4, beginRows: 5, cancelRun: 5, runCounts: 8, poll: 3, submitAgain: 3 },
      ...{ lateEffect: 4, timePasses: 5, liftStop: 2, resolveRow: 2 },
    },
  },
  /** Rows are begun on the day before theirs. */
  days: {
    ...PAYMENTS,
    first: ['submitRun', 'submitRun', 'submitRun'],
    events: {
      clockIsAhead: 10,
      submitRun: 6,
      beginRows: 4,
      paymentSteps: 15,
      poll: 3,
      readHistory: 3,
      stopRun: 1,
      liftStop: 2,
    },
  },
} as const satisfies Record<string, Theme>;

export type ThemeName = keyof typeof THEMES;

export const themeOf = (name: ThemeName): Theme => THEMES[name];

export function someTheme(dice: Dice): ThemeName {
  return dice.weighted({ payments: 8, conversions: 6, both: 2, prices: 1, lapses: 2, equals: 2, cancels: 2, days: 1 });
}

/** The names of its events, in a random order after the first ones: mostly few, of which more histories are played. */
export function someEvents(dice: Dice, { first, events }: Theme): EventName[] {
  const length = dice.chance(0.25) ? 20 + dice.below(26) : 6 + dice.below(14);
  return [...first, ...Array.from({ length }, () => dice.weighted(events as Record<EventName, number>))];
}
