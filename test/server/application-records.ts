import type { AuditEntrySummary } from '../../api/audit/audit.ts';
import type { StopSummary } from '../../api/approvals/stop.ts';
import type { RowSummary } from '../../api/runs/row.ts';
import type { RunDecision } from '../../api/runs/run-decision.ts';
import type { RunSummary } from '../../api/runs/run.ts';
import type { ShownAccount } from '../../domain/beneficiaries/known-beneficiary.ts';
import { decisionInWords, runSentences } from '../../domain/runs/run-sentences.ts';
import type { RowProblem } from '../../domain/payment-file/row-problem.ts';

export function aRun(fields: Partial<RunSummary> = {}): RunSummary {
  const run: Omit<RunSummary, 'sentences'> = {
    runId: '018f2a00-0000-7000-8000-000000000001',
    account: 'default',
    fileName: 'payroll.csv',
    state: 'in_approval',
    stateReason: null,
    rowCount: 3,
    rows: { ready: 3 },
    proposal: {
      composedAt: '2026-03-01T09:00:00.000Z',
      rows: 3,
      payable: 3,
      onHold: 0,
      totals: [
        { currency: 'IDR', side: 'buy', rows: 3, amount: '45000000' },
        { currency: 'SGD', side: 'sell', rows: 3, amount: '3750.25' },
      ],
      costs: [],
      funds: [
        {
          currency: 'SGD',
          needed: '3750.25',
          balance: '10000.00',
          committed: '0.00',
          dueLater: '0',
          fees: '0',
          unquotedRows: 0,
        },
      ],
      costBound: {
        ...{ feePercent: '20', rateBasisPoints: 300, totals: [{ currency: 'SGD', most: '4500.30' }] },
        rates: [{ sellCurrency: 'SGD', buyCurrency: 'IDR', reference: '12000', least: '11640' }],
      },
      due: {
        dates: [{ date: '2026-01-05', weekday: 'Monday', isAtOnce: true, rows: 3, closed: [], notKnown: [] }],
        ...{ laterDates: 0, laterRows: 0, lastDate: null },
      },
      requests: 13,
      durationSeconds: 3,
      roundTripMs: null,
      warnings: ['first payment to 2 new bank accounts'],
      contentHash: 'a'.repeat(64),
    },
    profile: null,
    totals: [
      { currency: 'IDR', side: 'buy', rows: 3, amount: '45000000' },
      { currency: 'SGD', side: 'sell', rows: 3, amount: '3750.25' },
    ],
    approvals: 0,
    submittedBy: { userId: 'user-maker', name: 'Mei' },
    submittedAt: '2026-01-05T09:00:00.000Z',
    decisions: [],
    startedAt: null,
    finishedAt: null,
    ratePerSecond: 0,
    secondsLeft: null,
    dueLater: null,
    reserved: [],
    stops: [],
    ...fields,
  };
  return { ...run, sentences: fields.sentences ?? sentencesOf(run) };
}

/** The run in another state, with the sentences of it. */
export function inState(run: RunSummary, state: RunSummary['state']): RunSummary {
  return { ...run, state, sentences: sentencesOf({ ...run, state }) };
}

/** As the server derives them. */
function sentencesOf(run: Omit<RunSummary, 'sentences'>): RunSummary['sentences'] {
  return runSentences({ ...run, isApproved: run.startedAt !== null, payable: run.proposal?.payable ?? null });
}

export function aDecision(fields: Partial<RunDecision> = {}): RunDecision {
  const decision = {
    ...{ decision: 'rejected' as const, by: { userId: 'user-checker', name: 'Chris' }, actsFor: null },
    ...{ at: '2026-01-05T09:00:00.000Z', comment: null, isCurrent: true },
    ...fields,
  };
  return { ...decision, sentence: decisionInWords(decision) };
}

export function aRow(fields: Partial<RowSummary> = {}): RowSummary {
  return {
    paymentId: 'payment-1',
    line: 2,
    rowRef: 'INV-1',
    state: 'paid',
    attempt: 1,
    beneficiary: 'Budi',
    beneficiaryName: 'Budi',
    beneficiaryId: null,
    sellCurrency: 'SGD',
    sellAmount: '10.00',
    buyCurrency: 'IDR',
    buyAmount: '120000',
    expected: { sells: '10.00', buys: '120000', fees: '1.50' },
    payOn: null,
    bankAccount: anAccount(),
    country: 'ID',
    reference: 'Invoice 4711',
    purpose: 'SUPP',
    purposeDescription: null,
    delivery: null,
    settings: { funding_source: 'COMPANY_BANK_ACCOUNT', funding_method: 'PAYNOW' },
    files: ['invoice.pdf'],
    marks: [],
    isMasked: false,
    errorCode: null,
    errorMessage: null,
    returnedAmount: null,
    returnedAt: null,
    ...fields,
  };
}

export function aStop(fields: Partial<StopSummary> = {}): StopSummary {
  return {
    stopId: '018f2a00-0000-7000-8000-0000000000d1',
    scope: 'run',
    runId: '018f2a00-0000-7000-8000-000000000001',
    account: null,
    stoppedBy: { userId: 'user-maker', name: 'Mia\u001b[2J' },
    refusals: null,
    stoppedAt: '2026-01-05T09:00:00.000Z',
    reason: 'wrong month',
    liftRequestedBy: null,
    liftRequestedAt: null,
    isCancelled: false,
    ...fields,
  };
}

export function anAccount(fields: Partial<ShownAccount> = {}): ShownAccount {
  return {
    iban: null,
    accountNumber: '4567890123',
    bankCode: 'bank code 014',
    bankName: 'Bank Contoh',
    holder: 'Budi',
    country: 'ID',
    intermediaryBank: null,
    ...fields,
  };
}

export function aProblem(fields: Partial<RowProblem> = {}): RowProblem {
  return {
    line: 2,
    rowRef: 'INV-1',
    column: 'amount',
    value: '1,000.00',
    problem: 'has a thousands separator',
    fix: 'write 1000.00',
    code: 'thousands_separator',
    ...fields,
  };
}

export function anAuditEntry(fields: Partial<AuditEntrySummary> = {}): AuditEntrySummary {
  return {
    entryId: 1,
    at: '2026-01-05T09:00:07.123Z',
    actor: 'worker',
    person: null,
    kind: 'create_took_effect',
    runId: '018f2a00-0000-7000-8000-000000000001',
    paymentId: 'payment-1',
    rowRef: 'INV-1',
    line: 2,
    detail: { state: 'created', status: 200 },
    remark: null,
    ...fields,
  };
}

export const NO_DIFFERENCES = { comparedWith: null, counts: {}, differences: [], next: null };
