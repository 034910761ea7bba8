import { expect, test } from 'vitest';
import { withinAccounts } from '../../application/runs/review-within-accounts.ts';
import type { EarlierPayment, RunFinding } from '../../domain/runs/run-finding.ts';
import { aChangedAccount, foundRows, HASH } from './a-review.ts';

const paidFrom = (account: string): EarlierPayment => ({
  ...{
    runId: account,
    fileName: 'march.csv',
    rowRef: 'INV-7',
    account,
    currency: 'EUR',
    amount: '10.00',
    state: 'paid',
  },
  ...{ reference: 'Invoice 7', paidOn: '2026-11-22' },
});
const [europe, asia] = [paidFrom('europe'), paidFrom('asia')];
const finding: RunFinding = {
  ...{ kind: 'invoice_paid_before', name: 'Winkler AG', earlier: [europe, asia], earlierCount: 2 },
  ...foundRows,
};
const review = { contentHash: HASH, findings: [aChangedAccount, finding], unlistedCounts: {} };

test('a payment from an account that somebody may not use is counted for them, and not shown', () => {
  expect(withinAccounts(review, ['europe'])).toEqual({
    ...review,
    findings: [aChangedAccount, { ...finding, earlier: [europe] }],
  });
  expect(withinAccounts(review, ['america'])?.findings[1]).toEqual({ ...finding, earlier: [] });
});

test('all payments are shown to those who may use all accounts', () => {
  expect(withinAccounts(review, null)).toEqual(review);
  expect(withinAccounts(null, ['europe'])).toBeNull();
});
