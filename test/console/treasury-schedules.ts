import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { comeBackLater } from './changing-answers.ts';

const NAME = 'Dollars above 50,000';

/** A schedule from the form to the confirmation by a second person, in two browsers. */
export function describeSchedules(people: () => { tina: Page; chris: Page; mia: Page }): void {
  describe('a schedule', () => {
    let path = '';

    test('is refused with what is wrong at its field', async () => {
      const { tina } = people();
      await tina.goto('/treasury/schedules/new');
      await tina.getByLabel('Name').fill(NAME);
      await tina.getByLabel('Account').fill('default');
      await tina.getByLabel('Sell').fill('usd');
      await tina.getByRole('textbox', { name: 'Buy' }).fill('eur');
      await tina.getByLabel('Floor').fill('50000.001');
      await tina.getByLabel('Most for one order').fill('5000.00');
      await tina.getByLabel('Time zone').fill('Europe/Berlin');
      await tina.getByLabel('Local times').fill('15:30');
      await tina.getByRole('button', { name: 'Check it' }).click();
      await tina.getByText(/The amount has 3 decimals, and USD has 2/).waitFor();
      await expect(tina.getByLabel('Floor').getAttribute('aria-invalid')).resolves.toBe('true');
      await expect(tina.getByRole('button', { name: 'Propose the schedule' }).count()).resolves.toBe(0);
    });

    test('is proposed as it was shown', async () => {
      const { tina } = people();
      await tina.getByLabel('Floor').fill('50000.00');
      await tina.getByRole('button', { name: 'Check it' }).click();
      await tina.getByText('Sell for EUR what is free above 50,000.00 USD').waitFor();
      await tina.getByRole('button', { name: 'Propose the schedule' }).click();
      await tina.getByRole('heading', { name: NAME, level: 1 }).waitFor();
      await tina.getByText('Another person confirms what you proposed').waitFor();
      path = new URL(tina.url()).pathname;
      await expect(tina.getByRole('button', { name: 'Confirm …' }).count()).resolves.toBe(0);
      await tina.getByRole('button', { name: 'Take back …' }).waitFor();
    });

    test('is confirmed by a second person in another browser, who sees its definition', async () => {
      const { tina, chris } = people();
      await chris.goto('/treasury/schedules');
      await chris.getByRole('link', { name: NAME }).click();
      await chris.getByRole('button', { name: 'Confirm …' }).click();
      const dialog = chris.getByRole('dialog');
      await dialog.getByText('Sell for EUR what is free above 50,000.00 USD').waitFor();
      await dialog.getByText(/^[0-9a-f]{64}$/).waitFor();
      await dialog.getByRole('button', { name: 'Confirm version 1' }).click();
      await chris.getByRole('heading', { name: 'In force: version 1' }).waitFor();
      await tina.getByRole('heading', { name: 'In force: version 1' }).waitFor();
    });

    test('shows a change beside what is in force, and keeps that until it is confirmed', async () => {
      const { tina, chris } = people();
      await proposeFloor(tina, path, '60000.00');
      await chris.goto(path);
      const row = chris
        .getByRole('table', { name: 'In force and proposed' })
        .getByRole('row')
        .filter({ hasText: 'What' });
      await row.getByText('above 50,000.00 USD').waitFor();
      await row.getByText('above 60,000.00 USD').waitFor();
      await chris.getByRole('button', { name: 'Reject …' }).click();
      await chris.getByRole('dialog').getByRole('button', { name: 'Reject version 2' }).click();
      await chris.getByText('Waits for confirmation: version 2').waitFor({ state: 'detached' });
    });

    test('is not confirmed for a version that came while the dialog of another one was open', async () => {
      const { tina, chris } = people();
      const dialog = chris.getByRole('dialog');
      await proposeFloor(tina, path, '70000.00');
      await comeBackLater(chris);
      await chris.getByText('Waits for confirmation: version 3').waitFor();
      await chris.getByRole('button', { name: 'Confirm …' }).click();
      await dialog.getByText('above 70,000.00 USD').waitFor();
      await proposeFloor(tina, path, '80000.00');
      await comeBackLater(chris);
      await chris.getByText('The version that waits for confirmation has changed while you looked at it').waitFor();
      await dialog.waitFor({ state: 'detached' });
      await chris.getByRole('button', { name: 'Reject …' }).click();
      await dialog.getByRole('button', { name: 'Reject version 4' }).click();
      await chris.getByText('Waits for confirmation: version 4').waitFor({ state: 'detached' });
      expect(await chris.getByText('has changed while you looked at it').count()).toBe(0);
      await chris.getByRole('heading', { name: 'In force: version 1' }).waitFor();
    });

    test('shows nobody what the server would refuse', async () => {
      const { mia } = people();
      await mia.goto(path);
      await mia.getByRole('heading', { name: 'Next occurrences' }).waitFor();
      for (const name of ['Pause …', 'Edit', 'Delete …', 'Start now …', 'Confirm …']) {
        await expect(mia.getByRole('button', { name }).count()).resolves.toBe(0);
      }
    });

    test('is paused with a reason that everybody reads', async () => {
      const { tina, chris } = people();
      await chris.getByRole('button', { name: 'Pause …' }).click();
      await chris.getByRole('textbox', { name: 'Reason (optional)' }).fill('Rates are under review');
      await chris.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
      await tina.goto(path);
      await tina.getByText('Paused by Chris Checker').waitFor();
      await tina.getByText(/Rates are under review/).waitFor();
      // She has proposed it, and somebody else has paused it.
      await expect(tina.getByRole('button', { name: 'Resume …' }).count()).resolves.toBe(0);
      await chris.getByRole('button', { name: 'Resume …' }).waitFor();
    });
  });
}

async function proposeFloor(page: Page, path: string, floor: string): Promise<void> {
  await page.goto(`${path}/edit`);
  await page.getByLabel('Floor').fill(floor);
  await page.getByRole('button', { name: 'Check it' }).click();
  await page.getByRole('button', { name: 'Propose this version' }).click();
  await page.getByRole('heading', { name: NAME, level: 1 }).waitFor();
}
