import type { Locator, Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { BookDay } from '../../api/reconciliation/book-day.ts';
import type { BreakSummary } from '../../api/reconciliation/break.ts';
import { aBookDay, aBreak, BREAK } from '../server/book-records.ts';
import { allowed, answerWith, comeBackLater } from './changing-answers.ts';

const DAY = '2026-01-05';
const [BEFORE, AFTER] = ['a'.repeat(64), 'b'.repeat(64)];

function booksOf(contentHash: string, closing: string): BookDay {
  const totals = [{ entryClass: 'funding', count: 1, amount: closing }];
  const hashes = { late: [], reclassified: [], historyHash: contentHash, contentHash };
  const book = { currency: 'EUR', opening: '0', closing, entryCount: 1, isComplete: true, totals, ...hashes };
  return aBookDay({ day: DAY, contentHash, books: [book] });
}

function explainedAs(explanation: string): BreakSummary {
  const explainedBy = { userId: 'user-2', name: 'Casper' };
  return aBreak({ day: DAY, state: 'explained', explanation, explanationId: explanation, explainedBy });
}

/** The line of the books that has been computed from the movements. */
function closingOf(page: Page, amount: string): Locator {
  return page.getByRole('row', { name: 'Closing balance, computed' }).getByText(amount);
}

/** A day of the books that is done again, or explained otherwise, while a checker reads it. */
export function describeChangingDay(people: () => { chris: Page }): void {
  describe('a day of the books that changes while one reads it', () => {
    let shown = booksOf(BEFORE, '100.00');
    let breaks: BreakSummary[] = [];

    async function open(): Promise<Page> {
      const page = await people().chris.context().newPage();
      await answerWith(page, /\/reconciliation\/days\?/, () => ({ days: [shown] }));
      await answerWith(page, /\/reconciliation\/breaks\?/, () => ({ breaks }));
      await answerWith(page, /\/actions\?of=day/, () => ({ actions: { [`day:default/${DAY}`]: [allowed('sign')] } }));
      await answerWith(page, /\/actions\?of=break/, () => ({ actions: { [`break:${BREAK}`]: [allowed('close')] } }));
      return page;
    }

    test('is signed with the amounts that are shown: newer ones are shown when one asks for them', async () => {
      const page = await open();
      const signed: unknown[] = [];
      await page.route(/\/reconciliation\/signature$/, (route) => {
        signed.push(route.request().postDataJSON());
        return route.fulfill({ json: { state: 'signed' } });
      });
      await page.goto(`/reconciliation/${DAY}?account=default`);
      await page.getByRole('button', { name: 'Sign the amounts' }).waitFor();
      await closingOf(page, '100.00').waitFor();
      shown = booksOf(AFTER, '150.00');
      await comeBackLater(page);
      await page.getByText('These amounts have changed since you opened them').waitFor();
      await closingOf(page, '100.00').waitFor();
      expect(await page.getByRole('button', { name: 'Sign the amounts' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Show the new amounts' }).click();
      await closingOf(page, '150.00').waitFor();
      await page.getByRole('button', { name: 'Sign the amounts' }).click();
      await expect.poll(() => signed).toEqual([{ account: 'default', day: DAY, contentHash: AFTER }]);
      await page.close();
    });

    test('is not signed among several days with a content that was not listed', async () => {
      shown = booksOf(BEFORE, '100.00');
      const page = await open();
      await page.goto('/reconciliation');
      await page.getByRole('button', { name: 'Sign 1 day …' }).click();
      await page.getByRole('dialog').getByText(BEFORE.slice(0, 16)).waitFor();
      shown = booksOf(AFTER, '150.00');
      await comeBackLater(page);
      await page.getByText('What these days contain has changed while you looked at it').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.close();
    });

    test('has its differences closed for the explanation that was read', async () => {
      breaks = [explainedAs('a fee of the bank')];
      const page = await open();
      await page.goto(`/reconciliation/${DAY}?account=default`);
      await page.getByRole('button', { name: 'Close …' }).click();
      await page.getByRole('dialog').getByText('a fee of the bank').waitFor();
      breaks = [explainedAs('paid by hand')];
      await comeBackLater(page);
      await page.getByText('The difference has changed while you looked at it').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.close();
    });
  });
}
