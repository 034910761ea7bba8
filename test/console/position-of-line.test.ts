import fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionOfLine } from '../../console/payments/position-of-line.ts';

/** The lines of a file's rows: some are empty, and some rows take several. */
const lines = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 200 }).map((steps) =>
  steps.map(
    (
      (line) => (step: number) =>
        (line += step)
    )(1),
  ),
);

test('the place of a line is that of its row, or of the next one, else the last', async () => {
  await fc.assert(
    fc.asyncProperty(lines, fc.integer({ min: 1, max: 900 }), async (all, line) => {
      const expected = all.findIndex((each) => each >= line);
      let asked = 0;
      const found = await positionOfLine(line, all.length, async (position) => {
        asked += 1;
        const at = all[position];
        if (at === undefined) throw new RangeError(`there is no row ${position}`);
        return Promise.resolve(at);
      });
      expect(found).toBe(expected === -1 ? all.length - 1 : expected);
      expect(asked).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length)) + 2);
    }),
  );
});

test('in a file with a row on each line, one row is looked at', async () => {
  const asked: number[] = [];
  const lineAt = (position: number): Promise<number> => {
    asked.push(position);
    return Promise.resolve(position + 2);
  };
  expect(await positionOfLine(700_001, 1_000_000, lineAt)).toBe(699_999);
  expect(asked).toEqual([699_999]);
});
