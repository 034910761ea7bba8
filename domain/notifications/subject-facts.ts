import type { ChangeStateName } from '../approvals/change-kind.ts';
import { type CaseState, stageOfCase } from '../onboarding/case-state.ts';
import { type PaymentState, paymentStatesWhere } from '../payments/payment-state.ts';
import { runHasEnded, type RunState } from '../runs/run-state.ts';
import { CONVERSION_STATE_TABLE, type ConversionState } from '../treasury/conversion-state.ts';
import type { NotificationType } from './notification-types.ts';

/**
 * What a notification says of its subject: identifiers, states, counts and times, names of runs and of people of the team.
 * Nothing of beneficiaries and applicants, and no amounts.
 */

export interface RunFacts {
  runId: string;
  account: string;
  /** The name of its file. */
  name: string;
  state: RunState;
  /** How it stands, or how it ended and by whom: a sentence, with the names of people of the team. */
  status: string;
  /** Why it is paused; null: it is not. */
  reason: 'by_person' | 'equal_refusals' | null;
  /** Rows by state. */
  rows: Partial<Record<PaymentState, number>>;
}

export interface CaseFacts {
  caseId: string;
  account: string;
  state: CaseState;
  /** A code. */
  reason: string | null;
  /** How many fields and documents the provider asks for. */
  missing: number;
}

export interface OrderFacts {
  orderId: string;
  account: string;
  sellCurrency: string;
  buyCurrency: string;
  state: ConversionState;
  /** A code. */
  reason: string | null;
}

export interface ScheduleFacts {
  scheduleId: string;
  account: string;
  name: string;
  state: string;
  /** A code: why it is paused. */
  reason: string | null;
  /** A version waits for a second person. */
  isProposed: boolean;
  /** The local date of the newest occurrence that was missed, and how many were within the last week. */
  missedOn: string | null;
  missedOfWeek: number;
}

/** A currency that will not last. */
export interface ShortageFacts {
  account: string;
  currency: string;
  /** The first day that ends below zero: UTC, YYYY-MM-DD. */
  shortOn: string;
  state: 'expected' | 'over';
}

export interface RefundFacts {
  refundId: string;
  account: string;
  currency: string;
  /** The day on which the provider first showed it: YYYY-MM-DD, UTC. */
  shownOn: string;
  /** `expected`: its money was not seen yet. */
  state: 'expected' | 'credited';
}

/** A list of the provider with records that payrun cannot read. */
export interface ListingFacts {
  account: string;
  kind: 'refunds' | 'fundings';
  unreadableRecords: number;
  state: 'unreadable' | 'readable';
}

export interface ChangeFacts {
  changeId: string;
  kind: string;
  state: ChangeStateName;
  /** The name of the user whom it concerns. */
  user: string | null;
  roles: string[] | null;
  proposedBy: string | null;
  decidedBy: string | null;
  takesEffectAt: string | null;
  /** Who has made the code of an invitation. */
  usedBy: string | null;
}

/** The books of an account and day. */
export interface BookDayFacts {
  account: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  state: string;
  /** Breaks that are not closed, by type. */
  breaks: Record<string, number>;
}

export interface EndpointFacts {
  endpointId: string;
  name: string;
  state: 'pending' | 'enabled' | 'disabled';
  /** A code: why it is disabled. */
  reason: string | null;
}

/** A user of the team. */
export interface UserFacts {
  userId: string;
  name: string;
}

/** The notifications that no worker has looked at. */
export interface OutboxFacts {
  waiting: number;
  leftOutSince: string;
}

export type SubjectFacts =
  | { subject: 'run'; data: RunFacts }
  | { subject: 'case'; data: CaseFacts }
  | { subject: 'order'; data: OrderFacts }
  | { subject: 'schedule'; data: ScheduleFacts }
  | { subject: 'shortage'; data: ShortageFacts }
  | { subject: 'refund'; data: RefundFacts }
  | { subject: 'listing'; data: ListingFacts }
  | { subject: 'change'; data: ChangeFacts }
  | { subject: 'book_day'; data: BookDayFacts }
  | { subject: 'endpoint'; data: EndpointFacts }
  | { subject: 'user'; data: UserFacts }
  | { subject: 'outbox'; data: OutboxFacts };

/** Where the subject is found in the API, after the address of the server. */
export function pathOf(facts: SubjectFacts): string {
  switch (facts.subject) {
    case 'run':
      return `/api/v1/runs/${facts.data.runId}`;
    case 'case':
      return `/api/v1/cases/${facts.data.caseId}`;
    case 'order':
      return `/api/v1/treasury/orders/${facts.data.orderId}`;
    case 'schedule':
      return `/api/v1/treasury/schedules/${facts.data.scheduleId}`;
    case 'shortage':
      return `/api/v1/treasury/cash?account=${encodeURIComponent(facts.data.account)}&currency=${facts.data.currency}`;
    case 'refund':
      return `/api/v1/accounts/refunds?account=${encodeURIComponent(facts.data.account)}&state=expected`;
    case 'listing':
      return `/api/v1/accounts/receipts?account=${encodeURIComponent(facts.data.account)}`;
    case 'change':
      return '/api/v1/changes';
    case 'book_day':
      return `/api/v1/reconciliation/breaks?account=${encodeURIComponent(facts.data.account)}&from=${facts.data.day}&to=${facts.data.day}`;
    case 'endpoint':
      return `/api/v1/notifications/endpoints/${facts.data.endpointId}`;
    case 'user':
      return '/api/v1/users';
    case 'outbox':
      return '/api/v1/inbox';
  }
}

/** Whether it is still so. A run that was decided on before anybody could be notified needs no approval any more. */
export function stillHolds(type: NotificationType, facts: SubjectFacts): boolean {
  switch (facts.subject) {
    case 'run':
      return runStillIs(type, facts.data);
    case 'case':
      return stageOfCase(facts.data.state) === 'onboarder';
    case 'order':
      return type === 'order.approval_needed'
        ? facts.data.state === 'in_approval'
        : CONVERSION_STATE_TABLE[facts.data.state].order.notifiesPeople;
    case 'schedule':
      return scheduleStillIs(type, facts.data);
    case 'shortage':
      return facts.data.state === 'expected';
    case 'refund':
      return facts.data.state === 'expected';
    case 'listing':
      return facts.data.state === 'unreadable';
    case 'book_day':
      return Object.keys(facts.data.breaks).length > 0;
    case 'change':
    case 'endpoint':
    case 'user':
    case 'outbox':
      return true;
  }
}

function runStillIs(type: NotificationType, { state, rows }: RunFacts): boolean {
  switch (type) {
    case 'run.approval_needed':
      return state === 'in_approval';
    case 'run.finished':
      return runHasEnded(state);
    case 'run.paused':
      return state === 'paused';
    case 'run.rows_held':
      return heldRows(rows) > 0;
    case 'run.awaiting_funds':
      return (rows.awaiting_funds ?? 0) > 0;
    case 'run.rows_unknown':
      return (rows.unknown ?? 0) > 0;
    default:
      return true;
  }
}

function scheduleStillIs(type: NotificationType, { state, isProposed }: ScheduleFacts): boolean {
  if (type === 'schedule.approval_needed') return isProposed;
  return type === 'schedule.paused' ? state === 'paused' : true;
}

const HELD = paymentStatesWhere(({ stage }) => stage === 'on_hold');

/** Rows that wait for a person. */
export function heldRows(rows: RunFacts['rows']): number {
  return HELD.reduce((sum, state) => sum + (rows[state] ?? 0), 0);
}
