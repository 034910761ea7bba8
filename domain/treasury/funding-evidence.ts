import Big from 'big.js';

/**
 * Whether a conversion was funded, by the history of its balance: its status stays `awaiting_funds` when it is funded
 * (contract: payments 4.3), so neither the status nor the answer to the request shows it.
 *
 * 1. After the visibility delay the history is read from before the first request, then the balance.
 * 2. The entries are in order, and the chain is complete when it runs from the last known balance to the one that was read.
 * 3. More entries of minus the total than others can have: funded. A complete chain without one, found twice, ten minutes
 *    after the request ended, with the status still `awaiting_funds`: fund once more. There is no third request.
 * 4. An incomplete chain, or an entry that may be ours or of others: wait. 24 hours after the last request it is unknown, and two
 *    people decide.
 */
export interface FundingEvidence {
  /** The entries of the balance since before the first request, in order. The change is after − before. */
  entries: readonly { amountBefore: string; amountAfter: string; date: string }[];
  /** They run without a gap from the last known balance to the one that was read after them. */
  isComplete: boolean;
  /** Of the conversion. The total leaves the balance as one entry, as far as is known. */
  total: string;
  sellAmount: string;
  otherDebits: OtherDebits;
  /** As the provider shows the conversion after the history was read. */
  status: string;
  times: FundingTimes;
  /** Requests to fund that were sent: 1 or 2. */
  requests: number;
  /** Who sends a second request. */
  secondRequest: 'payrun' | 'person';
}

/**
 * Debits of an equal amount that are not of this conversion. No entry names its payment or conversion (contract: payments 2.7),
 * so only those in the database before the first request are known to be of others.
 */
export interface OtherDebits {
  /** Among the entries, and in the database before the first request. */
  earlier: number;
  /** Of payments and conversions that the provider shows as done, long enough after they were funded. */
  expected: number;
  /** Of those whose funding is under way or unknown, or whose debit may come late. */
  possible: number;
}

/** All in milliseconds since the epoch. */
export interface FundingTimes {
  /** When the last request to fund was answered, or given up. */
  lastRequestEndedMs: number;
  /** When the read of the history began. */
  readBeganMs: number;
  /** When an earlier read began after the last request that found a complete chain without an entry; null: none. */
  earlierAbsenceMs: number | null;
  /** The provider takes no request to fund after it; null: it is not known. */
  fundingCutoffMs: number | null;
}

export type FundingDecision =
  | { decision: 'funded'; by: 'status' | 'history' }
  /** `absent`: this read found a complete chain without an entry; the next one is told. */
  | { decision: 'wait'; why: WaitReason; absent: boolean }
  | { decision: 'fund_once_more'; by: 'payrun' | 'person' }
  | { decision: 'unknown'; code: 'funding_uncertain' | 'second_funding_undecided' }
  /** Not funded, and no request can fund it any more. */
  | { decision: 'lapsed' };

export type WaitReason = 'too_early' | 'incomplete' | 'contested' | 'other_status' | 'absent_once' | 'absent';

/** What the history says of the debit: `seen` is that of this conversion, `contested` ones could be of others. */
export const DEBIT_EVIDENCE = ['seen', 'absent', 'incomplete', 'contested'] as const;
export type DebitEvidence = (typeof DEBIT_EVIDENCE)[number];

/** A request that timed out may take effect for so long after it. */
export const MAY_TAKE_EFFECT_MS = 10 * 60_000;
/**
 * A second request begins within this time of the read that proved that the first one had no effect. The database takes the proof
 * for too old a minute later.
 */
export const FUND_WITHIN_MS = 4 * 60_000;
export const MAX_UNCERTAIN_MS = 24 * 3_600_000;
const MAX_FUND_REQUESTS = 2;

export function wasItFunded(
  evidence: FundingEvidence,
  visibilityDelayMs: number,
  mayTakeEffectMs = MAY_TAKE_EFFECT_MS,
): FundingDecision {
  const { status, times } = evidence;
  if (status === 'completed') return { decision: 'funded', by: 'status' };
  const found = findDebit(evidence);
  if (found === 'seen') return { decision: 'funded', by: 'history' };
  // What was read before the request could show proves nothing about it.
  // guard: conversion-read-late-enough
  if (times.readBeganMs < times.lastRequestEndedMs + visibilityDelayMs) return wait('too_early');
  // guard: conversion-age-of-last-request
  const isTooOld = times.readBeganMs - times.lastRequestEndedMs >= MAX_UNCERTAIN_MS;
  if (found !== 'absent') return isTooOld ? uncertain() : wait(found);
  // guard: conversion-still-awaits-funds
  if (status !== 'awaiting_funds') return isTooOld ? uncertain() : wait('other_status');
  if (!isProvenAbsent(times, visibilityDelayMs, mayTakeEffectMs))
    return isTooOld ? uncertain() : wait('absent_once', true);
  if (times.fundingCutoffMs !== null && times.readBeganMs > times.fundingCutoffMs) return { decision: 'lapsed' };
  if (isTooOld) return { decision: 'unknown', code: 'second_funding_undecided' };
  // guard: conversion-funded-twice-at-most
  if (evidence.requests >= MAX_FUND_REQUESTS) return wait('absent', true);
  return { decision: 'fund_once_more', by: evidence.secondRequest };
}

function wait(why: WaitReason, absent = false): FundingDecision {
  return { decision: 'wait', why, absent };
}

function uncertain(): FundingDecision {
  return { decision: 'unknown', code: 'funding_uncertain' };
}

/** Absence was seen twice after the last request, the second time when the request can no longer take effect. */
function isProvenAbsent(times: FundingTimes, visibilityDelayMs: number, mayTakeEffectMs: number): boolean {
  const { lastRequestEndedMs, readBeganMs, earlierAbsenceMs } = times;
  // guard: conversion-absent-twice
  if (earlierAbsenceMs === null || earlierAbsenceMs < lastRequestEndedMs + visibilityDelayMs) return false;
  if (readBeganMs < earlierAbsenceMs + visibilityDelayMs || readBeganMs <= earlierAbsenceMs) return false;
  // guard: conversion-absent-for-ten-minutes
  return readBeganMs >= lastRequestEndedMs + mayTakeEffectMs;
}

/**
 * Equal debits are counted, as nothing in an entry says whose it is. More than all others together can have: one is ours, even if
 * the chain has gaps. One that came since the first request is never explained by others: a payment of the same total may have
 * been debited in parts, with other charges, or not at all. If such a payment is done and shows no debit of its total, ours may
 * take another form as well.
 */
export function findDebit(
  evidence: Pick<FundingEvidence, 'entries' | 'total' | 'sellAmount' | 'otherDebits' | 'isComplete'>,
): DebitEvidence {
  const { entries, total, sellAmount, otherDebits, isComplete } = evidence;
  const { earlier, expected, possible } = otherDebits;
  const debits = entries.map(({ amountBefore, amountAfter }) => new Big(amountBefore).minus(amountAfter));
  const equal = debits.filter((debit) => debit.eq(total)).length;
  if (equal > earlier + expected + possible) return 'seen';
  // A chain that does not link is not complete, whatever the caller has concluded: absence leads to another request.
  // guard: conversion-chain-complete
  if (!isComplete || !isLinked(entries)) return 'incomplete';
  // guard: conversion-debits-counted, conversion-debit-in-another-form, conversion-debit-in-parts
  if (equal !== earlier || expected > 0 || mayBeInParts(debits, { total, sellAmount })) return 'contested';
  return 'absent';
}

const MAX_PARTS = 3;

/**
 * The contract does not say that the total is one entry. Where the fees may have been taken beside it, in neighbouring
 * entries, nothing is funded again.
 */
function mayBeInParts(debits: readonly Big[], { total, sellAmount }: { total: string; sellAmount: string }): boolean {
  if (!new Big(sellAmount).eq(total) && debits.some((debit) => debit.eq(sellAmount))) return true;
  return debits.some((_, start) => {
    let sum = new Big(0);
    return debits.slice(start, start + MAX_PARTS).some((debit, index) => {
      sum = sum.plus(debit);
      return index > 0 && sum.eq(total);
    });
  });
}

function isLinked(entries: FundingEvidence['entries']): boolean {
  return entries.every((entry, index) => {
    const previous = entries[index - 1];
    return previous === undefined || new Big(previous.amountAfter).eq(entry.amountBefore);
  });
}
