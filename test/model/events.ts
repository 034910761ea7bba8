import * as conversions from './conversion-events.ts';
import type { Event } from './event.ts';
import { otherOccurrence } from './other-schedules.ts';
import * as people from './people-events.ts';
import * as provider from './provider-events.ts';
import * as treasurers from './treasurer-events.ts';
import * as worker from './worker-events.ts';

/** All that may happen, with how often. */

export type Events = Record<string, { event: Event; weight: number }>;

export const OF_BOTH = {
  timePasses: { event: worker.timePasses, weight: 12 },
  minutesPass: { event: worker.minutesPass, weight: 1 },
  hoursPass: { event: worker.hoursPass, weight: 1 },
  readHistory: { event: worker.readHistory, weight: 6 },
  readBalances: { event: worker.readBalances, weight: 2 },
  readReceipts: { event: worker.readReceipts, weight: 3 },
  lateEffect: { event: provider.lateEffect, weight: 6 },
  deposit: { event: provider.deposit, weight: 4 },
  withdrawal: { event: provider.withdrawal, weight: 1 },
  stopAccount: { event: people.stopAccount, weight: 1 },
  liftStop: { event: people.liftStop, weight: 2 },
} as const satisfies Events;

export const OF_PAYMENTS = {
  paymentSteps: { event: worker.paymentSteps, weight: 34 },
  beginRows: { event: worker.beginRows, weight: 5 },
  poll: { event: worker.poll, weight: 5 },
  runCounts: { event: worker.runCounts, weight: 3 },
  workflowIsLost: { event: worker.workflowIsLost, weight: 2 },
  clockIsAhead: { event: worker.clockIsAhead, weight: 2 },
  strayActivity: { event: worker.strayActivity, weight: 4 },
  paymentIsGivenUp: { event: worker.paymentIsGivenUp, weight: 1 },
  paymentEnds: { event: provider.paymentEnds, weight: 5 },
  unfundedIsCancelled: { event: provider.unfundedIsCancelled, weight: 1 },
  paymentComesBack: { event: provider.paymentComesBack, weight: 2 },
  refundIsPaidOut: { event: provider.refundIsPaidOut, weight: 3 },
  refundFails: { event: provider.refundFails, weight: 1 },
  submitRun: { event: people.submitRun, weight: 3 },
  submitAgain: { event: people.submitAgain, weight: 4 },
  stopRun: { event: people.stopRun, weight: 1 },
  cancelRun: { event: people.cancelRun, weight: 2 },
  resolveRow: { event: people.resolveRow, weight: 8 },
} as const satisfies Events;

export const OF_CONVERSIONS = {
  orderSteps: { event: conversions.orderSteps, weight: 30 },
  strayOrderActivity: { event: conversions.strayOrderActivity, weight: 4 },
  occurrence: { event: conversions.occurrence, weight: 10 },
  otherOccurrence: { event: otherOccurrence, weight: 5 },
  conversionCompletes: { event: conversions.conversionCompletes, weight: 3 },
  conversionIsCredited: { event: conversions.conversionIsCredited, weight: 2 },
  placeOrder: { event: treasurers.placeOrder, weight: 3 },
  decideOrder: { event: treasurers.decideOrder, weight: 2 },
  resolveOrder: { event: treasurers.resolveOrder, weight: 4 },
} as const satisfies Events;

export const EVENTS = { ...OF_BOTH, ...OF_PAYMENTS, ...OF_CONVERSIONS };

export type EventName = keyof typeof EVENTS;

/** What may happen while a request is under way. */
export const MEANWHILE: readonly EventName[] = [
  'strayActivity',
  'strayOrderActivity',
  'timePasses',
  'readHistory',
  'stopRun',
  'poll',
  'lateEffect',
  'cancelRun',
];
