import { expect, test } from 'vitest';
import type { RowListPage } from '../../api/runs/row.ts';
import { VisibleRows } from '../../console/payments/visible-rows.ts';

test('rows that are read again and again still come when each answer takes longer than that', async () => {
  const asked: { answer: () => void; signal: AbortSignal }[] = [];
  const rows = new VisibleRows(
    (_from, _limit, signal) =>
      new Promise<RowListPage>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('it was given up')));
        asked.push({ signal, answer: () => resolve({ rows: [{ line: 2 }] } as RowListPage) });
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
  const rows = new VisibleRows(
    () => Promise.resolve({ rows: [{ line: 2, marks }] } as RowListPage),
    () => undefined,
  );
  await rows.refresh(0, 20);
  expect([rows.lacksMarks(0, 20), rows.lacksMarks(100, 120)]).toEqual([true, false]);
  marks = [];
  await rows.refresh(0, 20);
  expect(rows.lacksMarks(0, 20)).toBe(false);
});

test('of rows that are there, those that are shown are read again, and whole pages if fewer have come', async () => {
  const asked: [from: number, limit: number][] = [];
  const state = { count: 300, of: 'ready' };
  const rows = new VisibleRows(
    (from, limit) => {
      asked.push([from, limit]);
      const shown = Array.from({ length: Math.max(0, Math.min(limit, state.count - from)) }, (_, index) => ({
        line: from + index + 2,
        state: state.of,
        marks: [],
      }));
      return Promise.resolve({ rows: shown } as unknown as RowListPage);
    },
    () => undefined,
  );
  const stateAt = (position: number): string | null => rows.rowAt(position)?.state ?? null;
  await rows.refresh(90, 110);
  state.of = 'paid';
  await rows.refresh(90, 110);
  expect(asked).toEqual([
    [0, 200],
    [90, 21],
  ]);
  expect([89, 90, 99, 100, 110, 111].map(stateAt)).toEqual(['ready', 'paid', 'paid', 'paid', 'paid', 'ready']);
  state.count = 100;
  await rows.refresh(90, 110);
  expect(asked.slice(2)).toEqual([
    [90, 21],
    [0, 200],
  ]);
  expect([90, 99, 100, 110].map(stateAt)).toEqual(['paid', 'paid', null, null]);
});

test('once rows are others, what is shown is read again, and the rest when it is shown', async () => {
  const asked: number[] = [];
  const rows = new VisibleRows(
    (from, limit) => {
      asked.push(from);
      return Promise.resolve({
        rows: Array.from({ length: limit }, (_, index) => ({ line: from + index })),
      } as RowListPage);
    },
    () => undefined,
  );
  await rows.refresh(0, 20);
  await rows.refresh(500, 520);
  await rows.reload(500, 520);
  expect(asked).toEqual([0, 500, 500]);
  expect([rows.rowAt(0), rows.rowAt(500)?.line]).toEqual([null, 500]);
});
