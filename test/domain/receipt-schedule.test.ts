import { describe, expect, test } from 'vitest';
import { RECEIPT_SETTINGS, type ReceiptNeeds, receiptSchedule } from '../../domain/accounts/receipt-schedule.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const planOf = (needs: Partial<ReceiptNeeds>) =>
  receiptSchedule(
    { mayComeBack: false, sinceRefundsAskedMs: null, hasNewsOfRefunds: false, unlistedRefund: null, ...needs },
    RECEIPT_SETTINGS,
  );

describe('refunds are listed', () => {
  test('never while nothing was paid and nothing came', () => {
    expect(planOf({})).toEqual({ read: null, waitMs: Infinity });
  });

  test('once a day while payments may come back', () => {
    expect(planOf({ mayComeBack: true }).read).toEqual({ kind: 'refunds' });
    const justListed = { mayComeBack: true, sinceRefundsAskedMs: MINUTE_MS };
    expect(planOf(justListed)).toEqual({ read: null, waitMs: DAY_MS - MINUTE_MS });
    expect(planOf({ mayComeBack: true, sinceRefundsAskedMs: DAY_MS }).read).toEqual({ kind: 'refunds' });
  });

  test('after a notification or unexplained money, at most once a minute however many come', () => {
    expect(planOf({ hasNewsOfRefunds: true }).read).toEqual({ kind: 'refunds' });
    expect(planOf({ hasNewsOfRefunds: true, sinceRefundsAskedMs: 59_000 })).toEqual({ read: null, waitMs: 1_000 });
    expect(planOf({ hasNewsOfRefunds: true, sinceRefundsAskedMs: MINUTE_MS }).read).toEqual({ kind: 'refunds' });
  });

  test('before one is asked for by its id', () => {
    expect(planOf({ hasNewsOfRefunds: true, unlistedRefund: 'r-1' }).read).toEqual({ kind: 'refunds' });
    expect(planOf({ sinceRefundsAskedMs: 0, unlistedRefund: 'r-1' }).read).toEqual({ kind: 'refund', id: 'r-1' });
  });
});
