import type { BookDay, DaySignature, SignedDay } from '../../api/reconciliation/book-day.ts';

/** What became of several days that somebody signs at once. */
export interface SignedDays {
  signed: number;
  /** Of these, how many are closed by it. */
  closed: number;
  /** The day whose signature did not come about, and why: those after it were not tried. */
  stopped: { day: string; error: unknown } | null;
}

/** Signs the days one after the other, each with the amounts that were shown: the first one that is refused ends it. */
export async function signDaysInOrder(
  days: readonly Pick<BookDay, 'account' | 'day' | 'contentHash'>[],
  sign: (signature: DaySignature) => Promise<SignedDay>,
): Promise<SignedDays> {
  let [signed, closed] = [0, 0];
  for (const { account, day, contentHash } of days) {
    try {
      const { state } = await sign({ account, day, contentHash });
      signed += 1;
      if (state === 'closed') closed += 1;
    } catch (error) {
      return { signed, closed, stopped: { day, error } };
    }
  }
  return { signed, closed, stopped: null };
}
