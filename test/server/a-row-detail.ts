import type { RowResolution } from '../../api/payments/resolution.ts';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import { aRow } from './application-records.ts';

export function aResolution(fields: Partial<RowResolution> = {}): RowResolution {
  return {
    resolutionId: '018f2a00-0000-7000-8000-0000000000b1',
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

/** An unknown row whose creation was answered by nobody. */
export function aRowDetail(fields: Partial<RowDetail> = {}): RowDetail {
  const times = { begunAt: '2026-01-05T09:01:00.000Z', answeredAt: null };
  return {
    ...aRow({ state: 'unknown', errorCode: 'step_failed', errorMessage: 'a step failed' }),
    instruction: null,
    referenceId: 'payment-1-1',
    providerPaymentId: null,
    providerStatus: null,
    lastShownAt: null,
    requests: [{ operation: 'create', attempt: 1, ...times, httpStatus: null, outcome: 'unknown' }],
    lookUps: [
      {
        request: 'find',
        result: 'only_others',
        times: 12,
        firstAt: '2026-01-05T09:02:00.000Z',
        lastAt: '2026-01-05T09:08:00.000Z',
      },
    ],
    resolutions: [],
    similar: null,
    release: null,
    ...fields,
  };
}
