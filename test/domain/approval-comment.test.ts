import { describe, expect, test } from 'vitest';
import type { RunFinding } from '../../api/runs/review.ts';
import { answersByKind, commentOf } from '../../domain/runs/approval-comment.ts';
import { keyOfFinding } from '../../domain/runs/finding-words.ts';

function unusual(n: number): RunFinding {
  return {
    kind: 'unusual_amount',
    id: `unusual_amount:${n}`,
    name: `Supplier ${n} GmbH`,
    largestBefore: '1.00',
    rows: [`AP-${n}`],
    rowCount: 1,
    amounts: [],
  };
}

const some = (count: number): RunFinding[] => Array.from({ length: count }, (_, index) => unusual(index + 1));
const answered = (findings: readonly RunFinding[], answerTo: (index: number) => string): Map<string, string> =>
  new Map(findings.map((finding, index) => [keyOfFinding(finding), answerTo(index)]));

describe('what is kept with an approval', () => {
  test('is the comment, and a line for each warning with its answer', () => {
    const findings = some(2);
    const { text } = commentOf(
      findings,
      answered(findings, (index) => `checked ${index}`),
      ' as agreed ',
    );
    expect(text).toBe(
      'as agreed\nUnusual amount, Supplier 1 GmbH: checked 0\nUnusual amount, Supplier 2 GmbH: checked 1',
    );
    expect(commentOf([], new Map(), '  ')).toEqual({ text: null, excess: 0 });
  });

  test('has equal answers once, with the references of all their rows, where a line for each is too long', () => {
    const findings = some(90);
    const answers = answered(findings, (index) => (index < 80 ? 'compared with the contract' : 'called them'));
    const { text, excess } = commentOf(findings, answers, 'as agreed');
    expect(excess).toBe(0);
    const [comment, contract, called] = text?.split('\n') ?? [];
    expect(comment).toBe('as agreed');
    expect(contract).toMatch(/^Unusual amount \(AP-1, AP-2, .*AP-80\): compared with the contract$/);
    expect(called).toMatch(/^Unusual amount \(AP-81, .*AP-90\): called them$/);
  });

  test('names as many rows as fit, and counts the others', () => {
    const findings = some(900);
    const { text } = commentOf(
      findings,
      answered(findings, () => 'called them'),
      '',
    );
    expect(text).toMatch(/^Unusual amount \(AP-1, .*AP-100 and 800 more rows\): called them$/);
    expect(text?.length).toBeLessThanOrEqual(2_000);
  });

  test.each([
    ['answers', 12, ''],
    ['a comment', 1, 'x'.repeat(1_900)],
  ])('cuts nothing off %s that are too long together: it says by how much', (_what, count, comment) => {
    const findings = some(count);
    const answers = answered(findings, (index) => `${index}: ${'y'.repeat(190)}`);
    const { text, excess } = commentOf(findings, answers, comment);
    expect(text).toBeNull();
    const shortest = [
      ...(comment === '' ? [] : [comment]),
      ...[...answers.values()].map((answer) => `Unusual amount (1 row): ${answer}`),
    ];
    expect(excess).toBe(shortest.join('\n').length - 2_000);
    // Shorter by as much, all of it is kept.
    const shorter = answered(findings, (index) => `${index}: ${'y'.repeat(190 - Math.ceil(excess / count))}`);
    const kept = commentOf(findings, shorter, comment).text ?? '';
    for (const answer of shorter.values()) expect(kept).toContain(answer);
  });

  test('an earlier run with the same file is named with its answer', () => {
    const finding: RunFinding = {
      kind: 'file_submitted_before',
      runs: [{ runId: 'run-1', fileName: 'a.csv', submittedAt: '2026-11-20T08:00:00.000Z', submittedBy: 'Mia' }],
      runCount: 3,
    };
    const { text } = commentOf(
      [finding],
      answered([finding], () => 'it paid nothing'),
      '',
    );
    expect(text).toBe('The same file was submitted before, a.csv, run run-1 and 2 more runs: it paid nothing');
  });
});

test('the answers of an approval are shown by kind', () => {
  const findings = some(3);
  const answers = answered(findings, (index) => (index === 0 ? 'called them' : 'compared'));
  expect(answersByKind(findings, answers)).toEqual(['Unusual amount: called them (1)', 'Unusual amount: compared (2)']);
});
