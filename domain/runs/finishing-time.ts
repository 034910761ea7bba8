/** Requests that one payment needs at least: quote, create, fund. */
const REQUESTS_PER_PAYMENT = 3;

/** Requests per payment set aside for confirming: one sweep serves every payment in flight. */
const CONFIRMING_SHARE = 0.1;

const SECONDS_PER_DAY = 86_400;

/** 0 requests a second: the limits are lifted. 0 a day: no limit by the day. */
export interface SendingLimits {
  perSecond: number;
  perDay: number;
  /** Of those a day: kept for finishing what is begun. */
  reservedPerDay: number;
}

/** How much of the present UTC day is gone. */
export interface DayUse {
  requests: number;
  secondsLeft: number;
}

/** Each supporting file needs an upload address; the upload itself does not count against the limit. */
export function requestsNeeded(work: { payments: number; newBeneficiaries: number; files: number }): number {
  return Math.ceil(work.payments * (REQUESTS_PER_PAYMENT + CONFIRMING_SHARE) + work.newBeneficiaries + work.files);
}

/**
 * Seconds until so many requests are sent: at the limit of a second, and of each UTC day no more than may begin
 * something new. What today has no room for waits for midnight.
 */
export function secondsToSend(requests: number, limits: SendingLimits, today: DayUse): number {
  const { perSecond, perDay } = limits;
  if (perSecond === 0) return 0;
  if (perDay === 0) return Math.ceil(requests / perSecond);
  const perWholeDay = Math.min(usablePerDay(limits), perSecond * SECONDS_PER_DAY);
  const leftToday = Math.min(Math.max(0, usablePerDay(limits) - today.requests), perSecond * today.secondsLeft);
  if (requests <= leftToday) return Math.ceil(requests / perSecond);
  const afterToday = requests - leftToday;
  const wholeDays = Math.ceil(afterToday / perWholeDay) - 1;
  const onLastDay = afterToday - wholeDays * perWholeDay;
  return Math.ceil(today.secondsLeft + wholeDays * SECONDS_PER_DAY + onLastDay / perSecond);
}

/** Requests a day that may begin something new; at least one, or nothing would ever be begun. */
export function usablePerDay({ perDay, reservedPerDay }: Omit<SendingLimits, 'perSecond'>): number {
  return perDay === 0 ? 0 : Math.max(1, perDay - reservedPerDay);
}
