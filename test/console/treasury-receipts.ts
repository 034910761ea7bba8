import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

/** Of the money that nothing explains. */
const row = (page: Page) => page.getByRole('row').filter({ hasText: '1,234.50' });
const sayButton = (page: Page) => row(page).getByRole('button', { name: 'Say' });

/** Money that nothing explains, from the list of receipts to the word of a treasurer: `addMoney` adds 1,234.50 of it. */
export function describeReceipts(people: () => { tina: Page; chris: Page }, addMoney: () => Promise<void>): void {
  describe('a receipt that nothing explains', () => {
    test('is listed with its age', async () => {
      const { tina } = people();
      await tina.goto('/accounts');
      await tina.getByRole('table').first().waitFor();
      await addMoney();
      await expect
        .poll(
          async () => {
            await tina.goto('/accounts');
            await tina.getByRole('table').first().waitFor();
            await tina.goto('/accounts/receipts?all=true');
            const list = tina.getByRole('table', { name: 'Receipts' });
            await list.or(tina.getByText('Nothing came in yet')).waitFor();
            return row(tina).count();
          },
          { interval: 1_000 },
        )
        .toBe(1);
      await sayButton(tina).waitFor();
    });

    test('says so where what one may do cannot be read, and reads it again when asked', async () => {
      const { tina } = people();
      const error = { code: 'internal', message: 'no answer', requestId: 'x' };
      await tina.route(/\/actions\?/, (route) => route.fulfill({ status: 400, json: { error } }));
      await tina.reload();
      const unread = tina.getByText('What you may do could not be read');
      await unread.waitFor();
      await expect(sayButton(tina).count()).resolves.toBe(0);
      await tina.unroute(/\/actions\?/);
      await tina.getByRole('button', { name: 'Try again' }).click();
      await sayButton(tina).waitFor();
      await expect(unread.count()).resolves.toBe(0);
    });

    test('is nothing that a checker can assign', async () => {
      const { chris } = people();
      const answered = chris.waitForResponse(/\/actions\?/);
      await chris.goto('/accounts/receipts?all=true');
      await answered;
      await row(chris).waitFor();
      await expect(chris.getByRole('button', { name: 'Say' }).count()).resolves.toBe(0);
    });

    test('is assigned by a treasurer with a reason that stays', async () => {
      const { tina } = people();
      await sayButton(tina).click();
      const dialog = tina.getByRole('dialog');
      await expect(dialog.getByRole('button', { name: 'Say so' }).isDisabled()).resolves.toBe(true);
      await dialog.getByRole('button', { name: 'Interest' }).click();
      await dialog.getByRole('button', { name: 'Say so' }).click();
      await dialog.waitFor({ state: 'detached' });
      await tina.getByText('“Interest”').waitFor();
    });
  });
}
