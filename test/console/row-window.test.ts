import { expect, test } from 'vitest';
import type { RowWindow as ReadWindow } from '../../api/runs/row.ts';
import { RowWindow } from '../../console/payments/row-window.ts';

test('rows that are read again and again still come when each answer takes longer than that', async () => {
  const asked: { answer: () => void; signal: AbortSignal }[] = [];
  const rows = new RowWindow(
    (_from, _limit, signal) =>
      new Promise<ReadWindow>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('it was given up')));
        asked.push({ signal, answer: () => resolve({ rows: [{ line: 2 }] } as ReadWindow) });
      }),
    () => undefined,
  );
  const first = rows.refresh(0, 20);
  await rows.refresh(0, 20);
  expect([asked.length, asked[0]?.signal.aborted]).toEqual([1, false]);
  asked[0]?.answer();
  await first;
  expect(rows.rowAt(0)).toMatchObject({ line: 2 });
  void rows.refresh(0, 20);
  expect(asked).toHaveLength(2);
});

test('rows whose marks are not known yet are said to lack them, until they are read again', async () => {
  let marks: string[] | null = null;
  const rows = new RowWindow(
    () => Promise.resolve({ rows: [{ line: 2, marks }] } as ReadWindow),
    () => undefined,
  );
  await rows.refresh(0, 20);
  expect([rows.lacksMarks(0, 20), rows.lacksMarks(100, 120)]).toEqual([true, false]);
  marks = [];
  await rows.refresh(0, 20);
  expect(rows.lacksMarks(0, 20)).toBe(false);
});
