import type { Page } from 'playwright-core';
import { describe, test } from 'vitest';
import type { OrderDetail } from '../../api/treasury/order.ts';
import { anOrderDetail, ORDER } from '../server/fake-treasury.ts';
import { allowed, answerWith, comeBackLater } from './changing-answers.ts';

const QUOTE: OrderDetail['quote'] = {
  ...{ sellAmount: '1000.00', buyAmount: '910.00', totalAmount: '1002.50', totalFees: '2.50', rate: '0.91' },
  quotedAt: '2026-01-05T09:00:00.000Z',
};

/** Held, since the provider shows another total; somebody says that it is to be funded all the same. */
function heldOrder(totalAmount: string, isProposed: boolean): OrderDetail {
  const manualOutcome: OrderDetail['manualOutcomes'][number] = {
    ...{ manualOutcomeId: '018f2a00-0000-7000-8000-0000000000c1', outcome: 'fund_again', state: 'proposed' },
    ...{ proposedBy: { userId: 'user-treasurer', name: 'Tessa' }, proposedAt: '2026-01-05T10:00:00.000Z' },
    ...{ reason: 'the provider has explained it', confirmedBy: null, closedAt: null },
  };
  return anOrderDetail({
    ...{ state: 'held', stateReason: 'created_differs', quote: QUOTE, conversionId: 'C-1' },
    providerAmounts: { sellAmount: '1000', buyAmount: '910.00', totalAmount },
    manualOutcomes: isProposed ? [manualOutcome] : [],
  });
}

/** A conversion that the provider has created with other amounts than it has quoted. */
export function describeChangingOrder(people: () => { chris: Page; tina: Page }): void {
  describe('an order whose conversion has other amounts than its quote', () => {
    async function open(page: Page, order: () => OrderDetail, action: string): Promise<void> {
      const path = new RegExp(`/treasury/orders/${ORDER}$`);
      await answerWith(page, path, () => ({ ...order(), allowedActions: [allowed(action)] }));
      await page.goto(`/treasury/conversions/${ORDER}`);
    }

    const totalIn = (within: Pick<Page, 'getByRole'>) =>
      within.getByRole('row').filter({ hasText: 'Leaves the balance, with fees' });

    test('is proposed for funding beside the amounts that would be funded', async () => {
      const tina = await people().tina.context().newPage();
      await open(tina, () => heldOrder('1003.5', false), 'proposeManualOutcome');
      await totalIn(tina).getByText('1,002.50').waitFor();
      await totalIn(tina).getByText('1,003.5').waitFor();
      await totalIn(tina).getByText('+1.00').waitFor();
      await tina.getByRole('button', { name: 'Say what became of it …' }).click();
      const dialog = tina.getByRole('dialog');
      await dialog.getByRole('combobox', { name: 'It is' }).click();
      await tina.getByRole('option', { name: /^Not funded/ }).click();
      await totalIn(dialog).getByText('1,003.5').waitFor();
      await tina.close();
    });

    test('is confirmed for the amounts that were read, and for no others', async () => {
      const chris = await people().chris.context().newPage();
      let total = '1003.5';
      await open(chris, () => heldOrder(total, true), 'confirmManualOutcome');
      await chris.getByRole('button', { name: 'Confirm …' }).click();
      const dialog = chris.getByRole('dialog');
      await totalIn(dialog).getByText('1,003.5').waitFor();
      total = '1050.00';
      await comeBackLater(chris);
      await chris.getByText('What is to be decided has changed while you looked at it').waitFor();
      await dialog.waitFor({ state: 'detached' });
      await totalIn(chris).getByText('+47.50').waitFor();
      await chris.close();
    });
  });
}
