import { PAYMENT_STATE_TABLE } from '../payments/payment-state.ts';
import { type SendingLimits, usablePerDay } from './sending-limits.ts';

/** Requests that one payment needs at least: quote, create, fund. */
const REQUESTS_PER_PAYMENT = PAYMENT_STATE_TABLE.ready.progress.requestsLeft;

/** Requests per payment for confirming. It is a fraction because one read serves all payments in flight. */
const CONFIRMING_SHARE = 0.1;

const SECONDS_PER_DAY = 86_400;

/** How much of the current UTC day and its limit is used. */
export interface DayUse {
  requests: number;
  secondsLeft: number;
}

/** What of an account decides how long requests take. */
export interface SendingState extends DayUse {
  /** How long the provider takes to answer; null: it was not measured. */
  roundTripMs: number | null;
}

/** A supporting file needs one request, for its upload address; the upload itself does not count. */
export function requestsNeeded(work: { payments: number; newBeneficiaries: number; files: number }): number {
  return Math.ceil(work.payments * (REQUESTS_PER_PAYMENT + CONFIRMING_SHARE) + work.newBeneficiaries + work.files);
}

/**
 * Seconds until this many requests are sent: at the limit per second, and on each UTC day at most those that may begin
 * something new. The rest waits for the next day. A lease of the rate limiter is free a second after its answer, so a round trip
 * of half a second leaves two thirds of the limit (decision 0006).
 */
export function secondsToSend(requests: number, limits: SendingLimits, today: SendingState): number {
  const { perDay } = limits;
  if (limits.perSecond === 0) return 0;
  const perSecond = limits.perSecond / (1 + (today.roundTripMs ?? 0) / 1_000);
  if (perDay === 0) return Math.ceil(requests / perSecond);
  const perWholeDay = Math.min(usablePerDay(limits), perSecond * SECONDS_PER_DAY);
  const leftToday = Math.min(Math.max(0, usablePerDay(limits) - today.requests), perSecond * today.secondsLeft);
  if (requests <= leftToday) return Math.ceil(requests / perSecond);
  const afterToday = requests - leftToday;
  const wholeDays = Math.ceil(afterToday / perWholeDay) - 1;
  const onLastDay = afterToday - wholeDays * perWholeDay;
  return Math.ceil(today.secondsLeft + wholeDays * SECONDS_PER_DAY + onLastDay / perSecond);
}
