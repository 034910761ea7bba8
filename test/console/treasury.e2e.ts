import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeChangingOrder } from './changing-order.ts';
import { type ConsoleStack, seriousFindings, startConsoleStack } from './console-stack.ts';
import { describeReceipts } from './treasury-receipts.ts';
import { describeSchedules } from './treasury-schedules.ts';

/** The pages of treasury and accounts, on one installation: it takes longer to start than they do. */

let stack: ConsoleStack;
let people: { tina: Page; chris: Page; mia: Page };

beforeAll(async () => {
  stack = await startConsoleStack();
  const [tina, chris, mia] = await Promise.all([
    stack.personNamed('Tina'),
    stack.personNamed('Chris'),
    stack.personNamed('Mia'),
  ]);
  people = { tina, chris, mia };
});
afterAll(() => stack.stop());

describeSchedules(() => people);
describeChangingOrder(() => people);
describeReceipts(
  () => people,
  async () => {
    await stack.sandbox('balance', { currency: 'EUR', credit: '1234.50' });
    // Nobody is told of that money: whoever waits for it has the history read once a minute. This money is announced, so it is
    // read at once.
    await stack.sandbox('fundings', { currency: 'USD', amount: '1.00' });
  },
);

/** In the state that the tests before have left: pages.long.ts has every page. */
describe.each(['light', 'dark'] as const)('in %s colours', (colorScheme) => {
  test('nothing serious is wrong with a schedule, nor is it too wide for a phone', async () => {
    const { tina } = people;
    await tina.emulateMedia({ colorScheme });
    for (const width of [1440, 390]) {
      await tina.setViewportSize({ width, height: 900 });
      await tina.goto('/treasury/schedules');
      await tina.getByRole('link', { name: 'Dollars above 50,000' }).click();
      await tina.getByRole('heading', { name: 'Past occurrences' }).waitFor();
      await expect.poll(() => tina.locator('.skeleton').count()).toBe(0);
      await stack.picture(tina, `schedule-${width}-${colorScheme}`);
      expect(await seriousFindings(tina)).toEqual([]);
      expect(await tina.evaluate('document.documentElement.scrollWidth - window.innerWidth')).toBeLessThanOrEqual(0);
    }
  });
});

test('no policy was violated, and no script failed', () => {
  expect(stack.complaints).toEqual([]);
});
