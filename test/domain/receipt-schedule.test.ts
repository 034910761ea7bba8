import { describe, expect, test } from 'vitest';
import { RECEIPT_SETTINGS, type ReceiptNeeds, receiptSchedule } from '../../domain/accounts/receipt-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const JUST_LISTED = { sinceAskedMs: MINUTE_MS / 2, hasNews: false };
const FUNDINGS: ReceiptNeeds['fundings'] = { ...JUST_LISTED, goesOn: false, nextPage: null, isFailing: false };

const planOf = (needs: Partial<ReceiptNeeds>) =>
  receiptSchedule(
    { mayCome: false, refunds: JUST_LISTED, unlistedRefund: null, fundings: FUNDINGS, namedFunding: null, ...needs },
    RECEIPT_SETTINGS,
  );

describe('the provider is asked', () => {
  test('for nothing while nothing was paid and nothing came', () => {
    const never = { sinceAskedMs: null, hasNews: false };
    expect(planOf({ refunds: never, fundings: { ...FUNDINGS, ...never } })).toEqual({ read: null, waitMs: Infinity });
  });

  test('for all refunds and all fundings once a day while money may come', () => {
    expect(planOf({ mayCome: true })).toEqual({ read: null, waitMs: DAY_MS - MINUTE_MS / 2 });
    const old = { sinceAskedMs: DAY_MS, hasNews: false };
    expect(planOf({ mayCome: true, refunds: old }).read).toEqual({ kind: 'refunds' });
    expect(planOf({ mayCome: true, fundings: { ...FUNDINGS, ...old } }).read).toEqual({ kind: 'fundings', page: null });
  });

  test('for a list after a notification or unexplained money, at most once a minute however many come', () => {
    const news = { sinceAskedMs: 59_000, hasNews: true };
    expect(planOf({ refunds: news })).toEqual({ read: null, waitMs: 1_000 });
    expect(planOf({ refunds: { ...news, sinceAskedMs: MINUTE_MS } }).read).toEqual({ kind: 'refunds' });
    expect(planOf({ fundings: { ...FUNDINGS, ...news, sinceAskedMs: null } }).read).toEqual({
      kind: 'fundings',
      page: null,
    });
  });

  test('for the next page of fundings at once, and after a pause if one was not answered', () => {
    const goesOn = { ...FUNDINGS, goesOn: true, nextPage: 3, sinceAskedMs: 0 };
    expect(planOf({ fundings: goesOn }).read).toEqual({ kind: 'fundings', page: 3 });
    expect(planOf({ fundings: { ...goesOn, isFailing: true } })).toEqual({ read: null, waitMs: MINUTE_MS });
    const failed = { ...goesOn, nextPage: null, isFailing: true, sinceAskedMs: MINUTE_MS };
    expect(planOf({ fundings: failed }).read).toEqual({ kind: 'fundings', page: null });
  });

  test('for what notifications named before pages that take long', () => {
    const goesOn = { ...FUNDINGS, goesOn: true, nextPage: 3 };
    expect(planOf({ fundings: goesOn, namedFunding: 'f-1' }).read).toEqual({ kind: 'funding', id: 'f-1' });
    expect(planOf({ fundings: goesOn, unlistedRefund: 'r-1' }).read).toEqual({ kind: 'refund', id: 'r-1' });
  });
});
