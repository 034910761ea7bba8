import type { RowManualOutcome } from '../../api/payments/manual-outcome.ts';
import type { RowDetail, SimilarRow } from '../../api/runs/row-detail.ts';
import { anAccount, aRow } from './application-records.ts';

export function aManualOutcome(fields: Partial<RowManualOutcome> = {}): RowManualOutcome {
  return {
    manualOutcomeId: '018f2a00-0000-7000-8000-0000000000b1',
    outcome: 'paid',
    providerPaymentId: null,
    reason: 'the bank statement of 5 January shows it',
    state: 'proposed',
    proposedBy: { userId: 'user-maker', name: 'Mei' },
    proposedAt: '2026-01-06T09:00:00.000Z',
    closedBy: null,
    closedAt: null,
    closingReason: null,
    ...fields,
  };
}

/** A row that was paid in another run. */
export function aSimilarRow(fields: Partial<SimilarRow> = {}): SimilarRow {
  return {
    ...{ runId: '018f2a00-0000-7000-8000-000000000002', fileName: 'february.csv', line: 7, rowRef: 'INV-0' },
    ...{ state: 'paid', beneficiary: 'Budi', beneficiaryName: 'Budi', bankAccount: anAccount() },
    ...{ sellCurrency: 'SGD', sellAmount: '10.00', buyCurrency: 'IDR', buyAmount: '120000', payOn: null },
    ...{ reference: 'Invoice 0', expected: { sells: null, buys: null, fees: null } },
    submittedAt: '2026-01-05T09:00:00.000Z',
    paidAt: '2026-01-05T09:12:00.000Z',
    ...fields,
  };
}

/** An unknown row whose creation was answered by nobody. */
export function aRowDetail(fields: Partial<RowDetail> = {}): RowDetail {
  const times = { begunAt: '2026-01-05T09:01:00.000Z', answeredAt: null };
  return {
    ...aRow({ state: 'unknown', errorCode: 'step_failed', errorMessage: 'a step failed' }),
    instruction: null,
    asSubmitted: null,
    referenceId: 'payment-1-1',
    providerPaymentId: null,
    providerStatus: null,
    lastShownAt: null,
    requests: [{ operation: 'create', attempt: 1, ...times, httpStatus: null, outcome: 'unknown' }],
    lookups: [
      {
        request: 'by_reference',
        result: 'only_others',
        times: 12,
        firstAt: '2026-01-05T09:02:00.000Z',
        lastAt: '2026-01-05T09:08:00.000Z',
      },
    ],
    manualOutcomes: [],
    decisions: [],
    webhooks: [],
    endedAt: null,
    similar: null,
    release: null,
    ...fields,
  };
}
