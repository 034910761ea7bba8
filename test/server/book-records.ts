import type { BookDay } from '../../api/reconciliation/book-day.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';

export const aBookDay = (parts: Partial<BookDay> = {}): BookDay => ({
  account: 'default',
  day: '2026-01-04',
  state: 'matched',
  reconciledAt: '2026-01-05T06:00:01.000Z',
  matched: 3,
  contentHash: 'a'.repeat(64),
  signedBy: null,
  signedAt: null,
  closedAt: null,
  openBreaks: {},
  books: [
    {
      ...{ currency: 'EUR', opening: '1000', closing: '1250.5', entryCount: 4, isComplete: true },
      totals: [{ entryClass: 'funding', count: 4, amount: '250.5' }],
      ...{ late: [], reclassified: [], historyHash: 'b'.repeat(64), contentHash: 'c'.repeat(64) },
    },
  ],
  ...parts,
});

export const BREAK = '018f2a00-0000-7000-8000-0000000000b1';

export const aBreak = (parts: Partial<BreakSummary> = {}): BreakSummary => ({
  breakId: BREAK,
  account: 'default',
  day: '2026-01-04',
  type: 'unexplained_entry',
  currency: 'EUR',
  expected: null,
  found: '-30',
  factIds: [],
  rows: [],
  entryIds: ['e1'],
  isAmbiguous: false,
  reason: 'Nothing explains entry e1 of -30.',
  state: 'open',
  foundAt: '2026-01-05T06:00:01.000Z',
  ageSeconds: 7_200,
  owner: null,
  explainedBy: null,
  explainedAt: null,
  explanationId: null,
  explanation: null,
  closedBy: null,
  closedAt: null,
  ...parts,
});
