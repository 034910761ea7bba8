import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import { allowed, answerWith, comeBackLater } from './changing-answers.ts';

const DAY = '2026-01-05';
const [BEFORE, AFTER] = ['a'.repeat(64), 'b'.repeat(64)];

function booksOf(contentHash: string, closing: string): BookDay {
  return {
    ...{ account: 'default', day: DAY, state: 'matched', reconciledAt: '2026-01-06T06:00:00.000Z', matched: 1 },
    ...{ contentHash, signedBy: null, signedAt: null, closedAt: null, openBreaks: {} },
    books: [
      {
        ...{ currency: 'EUR', opening: '0.00', closing, entryCount: 1, isComplete: true, totals: [], late: [] },
        ...{ reclassified: [], historyHash: contentHash, contentHash },
      },
    ],
  };
}

/** The figures of a day are done again while a checker reads them. */
export function describeChangingDay(people: () => { chris: Page }): void {
  test('the figures that are signed are those that are shown: newer ones are shown when one asks for them', async () => {
    const page = await people().chris.context().newPage();
    let shown = booksOf(BEFORE, '100.00');
    const signed: unknown[] = [];
    await answerWith(page, /\/reconciliation\/days\?/, () => ({ days: [shown] }));
    await answerWith(page, /\/actions\?of=day/, () => ({ actions: { [`day:default/${DAY}`]: [allowed('sign')] } }));
    await page.route(/\/reconciliation\/signature$/, (route) => {
      signed.push(route.request().postDataJSON());
      return route.fulfill({ json: { state: 'signed' } });
    });
    await page.goto(`/reconciliation/${DAY}?account=default`);
    await page.getByRole('button', { name: 'Sign the figures' }).waitFor();
    await page.getByText('100.00').waitFor();
    shown = booksOf(AFTER, '150.00');
    await comeBackLater(page);
    await page.getByText('These figures have changed since you opened them').waitFor();
    await page.getByText('100.00').waitFor();
    expect(await page.getByRole('button', { name: 'Sign the figures' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show the new figures' }).click();
    await page.getByText('150.00').waitFor();
    await page.getByRole('button', { name: 'Sign the figures' }).click();
    await expect.poll(() => signed).toEqual([{ account: 'default', day: DAY, contentHash: AFTER }]);
    await page.close();
  });
}
