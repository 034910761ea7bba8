import { describe, expect, test } from 'vitest';
import type { RowDetail } from '../../api/runs/row-detail.ts';
import { evidenceMoments, momentsOf } from '../../console/payments/row-moments.ts';
import { aManualOutcome, aRowDetail } from '../server/a-row-detail.ts';

const CHRIS = { userId: 'user-checker', name: 'Chris' };
const APPROVAL = {
  ...({ decision: 'approved', by: CHRIS, at: '2026-01-05T09:00:00.000Z', comment: 'as ordered' } as const),
  ...{ actsFor: null, isCurrent: true, sentence: 'Approved by Chris' },
};

const shown = (row: RowDetail) => momentsOf(row).map(({ title, detail }) => [title, detail]);

describe('what became of a row', () => {
  test('begins with the decisions on its run, and says which do not count', () => {
    const before = { ...APPROVAL, at: '2026-01-04T09:00:00.000Z', comment: null, isCurrent: false };
    const row = aRowDetail({ decisions: [APPROVAL, before], requests: [], lookups: [] });
    expect(shown(row)).toEqual([
      ['Chris approved the run', 'on what the run was before: it does not count'],
      ['Chris approved the run', '“as ordered”'],
    ]);
    const forNora = { ...APPROVAL, actsFor: { userId: 'user-nora', name: 'Nora' } };
    const cancelled = { ...APPROVAL, decision: 'cancelled', at: '2026-01-06T09:00:00.000Z' } as const;
    const titles = shown(aRowDetail({ decisions: [forNora, cancelled], requests: [], lookups: [] }));
    expect(titles.map(([title]) => title)).toEqual(['Chris approved the run for Nora', 'Chris cancelled the run']);
  });

  test('has webhooks in the order of time, and calls none of them a proof', () => {
    const at = '2026-01-05T09:03:00.000Z';
    const webhook = { status: 'completed', times: 2, firstReceivedAt: at, lastReceivedAt: '2026-01-05T09:04:00.000Z' };
    const moments = momentsOf(aRowDetail({ webhooks: [webhook] }));
    expect(moments.map(({ title }) => title)).toEqual([
      'Create outcome not known',
      'A webhook said: completed',
      'Looked it up by its reference',
    ]);
    expect(moments[1]?.detail).toMatch(/^not proof: .*, 2 times$/);
    expect(moments[1]?.since).toBe(at);
  });

  test('ends with its end, and with what came back after it', () => {
    const ended = { requests: [], lookups: [], endedAt: '2026-01-05T10:00:00.000Z', providerStatus: 'completed' };
    const back = { returnedAmount: '1010.50', returnedAt: '2026-01-08T10:00:00.000Z' };
    expect(shown(aRowDetail({ ...ended, ...back, state: 'returned' }))).toEqual([
      ['Ended as paid', 'the provider showed last: completed'],
      ['Money came back', '1,010.50 SGD'],
    ]);
    expect(shown(aRowDetail({ ...ended, state: 'unknown' }))[0]?.[0]).toBe('Given up: how it ended is not known');
    expect(shown(aRowDetail({ ...ended, state: 'processing' }))).toEqual([]);
  });

  test.each([
    ['confirmed', CHRIS, 'Chris confirms: paid'],
    ['rejected', CHRIS, 'Chris rejects “paid”'],
    ['rejected', { userId: 'user-maker', name: 'Mei' }, 'Mei takes back “paid”'],
    ['contradicted', null, 'The provider says otherwise than “paid”'],
    ['voided', null, '“paid” is void: more became known of the row'],
  ] as const)('says who closed what was said, and why: %s', (state, closedBy, title) => {
    const closed = { state, closedBy, closedAt: '2026-01-06T10:00:00.000Z', closingReason: 'seen at the provider' };
    const row = aRowDetail({ requests: [], lookups: [], manualOutcomes: [aManualOutcome(closed)] });
    expect(shown(row)).toEqual([
      ['Mei says: paid', '“the bank statement of 5 January shows it”'],
      [title, '“seen at the provider”'],
    ]);
  });
});

test('the evidence of a dialog is what was sent and looked up, without what people said', () => {
  const row = aRowDetail({ decisions: [APPROVAL], manualOutcomes: [aManualOutcome()] });
  expect(evidenceMoments(row).map(({ title }) => title)).toEqual([
    'Create outcome not known',
    'Looked it up by its reference',
  ]);
});
