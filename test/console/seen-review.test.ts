import { describe, expect, test } from 'vitest';
import type { RunFinding, RunReview, ShownAccount } from '../../api/runs/review.ts';
import { commentOf } from '../../domain/runs/approval-comment.ts';
import { findingsToAnswer, keyOfFinding, subjectOf } from '../../domain/runs/finding-words.ts';
import { answersThatHold, changeSince } from '../../console/approvals/seen-review.ts';

const accountOf = (iban: string): ShownAccount => ({
  iban,
  accountNumber: null,
  bankCode: null,
  bankName: null,
  holder: null,
  country: null,
  intermediaryBank: null,
});

function changedAccount(name: string, to = 'DE02', row = '1'): RunFinding {
  return {
    kind: 'account_changed',
    id: `account_changed:${row}`,
    name,
    from: accountOf('DE01'),
    fromCount: 1,
    to: accountOf(to),
    isOtherCountry: false,
    lastPaidOn: '2026-04-01',
    rows: [row],
    rowCount: 1,
    amounts: [{ currency: 'EUR', amount: '10.00' }],
  };
}

const reviewOf = (findings: RunFinding[], contentHash = 'a'): RunReview => ({
  contentHash,
  findings,
  unlistedCounts: {},
});

const [grace, rhys] = [changedAccount('Grace', 'DE02', '1'), changedAccount('Rhys', 'DE03', '2')];
const answers = new Map([[keyOfFinding(grace), 'called Grace']]);

describe('an answer to a finding', () => {
  test('is not the answer to the one that takes its place', () => {
    const left = reviewOf([rhys]);
    const held = answersThatHold(answers, left);
    expect([...held]).toEqual([]);
    expect(findingsToAnswer(left.findings).filter(({ key }) => !held.has(key))).toHaveLength(1);
    expect(commentOf(left.findings, held, '').text).not.toContain('called Grace');
  });

  test('holds for exactly the same finding, wherever it stands', () => {
    expect(answersThatHold(answers, reviewOf([rhys, grace]))).toEqual(answers);
  });

  test.each([
    ['account', changedAccount('Grace', 'DE99', '1')],
    ['row', changedAccount('Grace', 'DE02', '7')],
  ])('does not hold for the same name with another %s', (_what, other) => {
    expect(answersThatHold(answers, reviewOf([other])).size).toBe(0);
  });
});

describe('a review that is read again', () => {
  test('is the same in another order', () => {
    expect(changeSince(reviewOf([grace, rhys]), reviewOf([rhys, grace]))).toBeNull();
  });

  test('has changed when a finding went, came, or says something else', () => {
    expect(changeSince(reviewOf([grace, rhys]), reviewOf([rhys]))).toEqual({ kind: 'findings', came: 0, went: 1 });
    expect(changeSince(reviewOf([]), reviewOf([rhys]))).toEqual({ kind: 'findings', came: 1, went: 0 });
    const other = reviewOf([changedAccount('Grace', 'DE99')]);
    expect(changeSince(reviewOf([grace]), other)).toEqual({ kind: 'findings', came: 1, went: 1 });
  });

  test('has changed when more or fewer are not listed', () => {
    const more = { ...reviewOf([grace]), unlistedCounts: { account_changed: 1 } };
    expect(changeSince(reviewOf([grace]), more)).toEqual({ kind: 'findings', came: 0, went: 0 });
  });

  test('is of another content', () => {
    expect(changeSince(reviewOf([grace]), reviewOf([grace], 'b'))).toEqual({ kind: 'content' });
  });
});

test.each([
  [1, '1 row failed before, and nothing was changed in it'],
  [12, '12 rows failed before, and nothing was changed in them'],
])('%i rows that failed before are named, and need no answer', (rowCount, words) => {
  const failed: RunFinding = { kind: 'failed_before', id: 'failed_before:2', rows: ['1'], rowCount, amounts: [] };
  expect(subjectOf(failed)).toBe(words);
  expect(findingsToAnswer([failed])).toEqual([]);
});
