import { v5 as uuidV5 } from 'uuid';

/** Pinned for ever: another value would place every order that is repeated under its key a second time. */
const ORDER_NAMESPACE = 'b7c0f6de-2f0b-5a57-8a0e-61b1d5a3c94f';

/** As JSON, so that no two lists of parts have the same text. */
function idOf(parts: readonly (string | number)[]): string {
  return uuidV5(JSON.stringify(parts), ORDER_NAMESPACE);
}

/** The order that a person places under an idempotency key: a repeated request is the same order. */
export function keyedOrderId(account: string, userId: string, idempotencyKey: string): string {
  return idOf(['key', account, userId, idempotencyKey]);
}

/**
 * What is done on one local date in one slot of a schedule. The date is in it and the time is not, so that an occurrence that
 * fires twice (a local hour that is repeated, a changed time of day) is one occurrence.
 */
export function occurrenceId(scheduleId: string, localDate: string, slot: number): string {
  // guard: occurrence-once-a-day
  return idOf(['occurrence', scheduleId, localDate, slot]);
}

/** An occurrence that a person starts by hand, under an idempotency key. */
export function triggeredOccurrenceId(scheduleId: string, idempotencyKey: string): string {
  return idOf(['trigger', scheduleId, idempotencyKey]);
}

/**
 * What the orders of an occurrence have their ids of: the occurrence itself, unless it was missed and is made up for. An order of
 * an earlier attempt has ended, and keeps its id.
 */
export function occurrenceAttemptId(occurrence: string, attempt: number): string {
  return attempt === 1 ? occurrence : idOf(['attempt', occurrence, attempt]);
}

/** An occurrence that funds a run may place several orders, one for each pair. Every other one is its only order. */
export function runOrderId(occurrence: string, { sell, buy }: { sell: string; buy: string }): string {
  return idOf(['pair', occurrence, sell, buy]);
}
