/** 0 requests a second: no limits at all. 0 a day: no daily limit. */
export interface SendingLimits {
  perSecond: number;
  perDay: number;
  /** The part of `perDay` kept for payments that have already begun: `mayUseReserve` in `provider/operations.ts` says for what. */
  reservedPerDay: number;
}

/** Requests a day that may begin something new: at least one, as otherwise no payment would ever begin. */
export function usablePerDay({ perDay, reservedPerDay }: Omit<SendingLimits, 'perSecond'>): number {
  return perDay === 0 ? 0 : Math.max(1, perDay - reservedPerDay);
}
