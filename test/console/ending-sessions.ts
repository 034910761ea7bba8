import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

/** What becomes of a page whose session ends, or is somebody else's since. */

const PASSWORD = 'correct horse battery staple';

export function describeEndingSessions(people: () => { mia: Page; chris: Page; ada: Page }): void {
  describe('a page whose session has ended', () => {
    let path = '';

    test('is still there, with what was written, once the same user has signed in again', async () => {
      const { chris } = people();
      path = new URL(chris.url()).pathname;
      const setting = {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-payrun-console': '1' },
        body: JSON.stringify({ password: PASSWORD }),
      };
      expect(
        await chris.evaluate(`fetch('/api/v1/session/password', ${JSON.stringify(setting)}).then((r) => r.status)`),
      ).toBe(204);
      await chris.goto(path);
      await chris.getByRole('button', { name: 'Reject …' }).click();
      await chris.getByLabel(/^Reason/).fill('begun before the end');
      await chris.context().clearCookies();
      await chris.getByRole('button', { name: 'Reject the run' }).click();
      const over = chris.getByRole('dialog', { name: 'Your session has ended' });
      await over.getByLabel('Name of your user').fill('chris');
      await over.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
      await over.getByRole('button', { name: 'Sign in', exact: true }).click();
      await over.waitFor({ state: 'detached' });
      expect(await chris.getByLabel(/^Reason/).inputValue()).toBe('begun before the end');
    });

    test('does nothing as somebody else who has signed in since, and becomes their page', async () => {
      const { chris, ada, mia } = people();
      const own = await chris.context().cookies();
      await chris.context().addCookies(await ada.context().cookies());
      const adas = chris.getByRole('button', { name: /^Signed in as Ada/ });
      // The page may become hers before it is clicked.
      await Promise.race([chris.getByRole('button', { name: 'Reject the run' }).click(), adas.waitFor()]);
      await adas.waitFor();
      expect(await chris.getByText('begun before the end').count()).toBe(0);
      const run = `fetch('/api/v1${path.replace('/decide', '')}').then((r) => r.json()).then((r) => r.state)`;
      expect(await mia.evaluate(run)).toBe('in_approval');
      await chris.context().clearCookies();
      await chris.context().addCookies(own);
    });
  });
}
