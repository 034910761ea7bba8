import type { Page } from 'playwright-core';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type ConsoleStack, seriousFindings } from './console-stack.ts';

export function describeCompanySignIn(
  people: () => { mia: Page; issuer: string; picture: ConsoleStack['picture'] },
): void {
  describe('the sign-in of the company', () => {
    afterEach(() => {
      vi.useRealTimers();
    });

    test('is connected by a user, and signs them in at the page that they wanted', async () => {
      const { mia, issuer } = people();
      await mia.goto('/account');
      await mia.getByText('Not connected.').waitFor();
      await mia.getByRole('button', { name: 'Connect it' }).click();
      await mia.waitForURL(`${issuer}/**`);
      // The provider is in this process: by its clock this is twenty minutes ago.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 20 * 60_000 });
      await enter(mia);
      // The provider asks whether payrun may know who they are.
      const agree = mia.getByRole('button', { name: 'Continue' });
      // Its sign-in is over once they have agreed.
      await agree.click();
      await mia.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
      vi.useRealTimers();
      await mia.goto('/account');
      await mia.getByText('Connected: you can sign in there.').waitFor();

      await mia.getByRole('button', { name: /^Signed in as Mia/ }).click();
      await mia.getByRole('menuitem', { name: 'Sign out' }).click();
      await mia.getByLabel('Name of your user').waitFor();
      await mia.goto('/runs');
      await mia.getByRole('link', { name: 'Sign in with Example' }).click();
      // The provider still knows them.
      await mia.getByRole('heading', { name: 'Runs', level: 1 }).waitFor();
      expect(new URL(mia.url()).pathname).toBe('/runs');
      await mia.getByRole('button', { name: /^Signed in as Mia/ }).waitFor();
    });

    test('asks who it is before something is changed, where that was twenty minutes ago', async () => {
      const { mia, issuer, picture } = people();
      await mia.goto('/account');
      await mia.getByText('Sign in again to change something here').waitFor();
      await mia.getByLabel('What it is for').fill('A script');
      expect(await mia.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
      expect(await seriousFindings(mia)).toEqual([]);
      expect(await mia.getByRole('button', { name: 'Disconnect it' }).count()).toBe(0);
      await picture(mia, 'sign-in-again');
      await mia.getByRole('link', { name: 'Sign in again with Example' }).click();
      await mia.waitForURL(`${issuer}/**`);
      await enter(mia);
      await mia.getByRole('button', { name: 'Disconnect it' }).waitFor();
      expect(new URL(mia.url()).pathname).toBe('/account');
    });

    test('is all that is shown where the policy takes it alone', async () => {
      const { mia, picture } = people();
      const only = { password: null, oidc: { name: 'Example' } };
      await mia.route('**/session/methods', (route) => route.fulfill({ json: only }));
      await mia.goto('/account');
      await mia.getByRole('heading', { name: 'Sign-in of Example' }).waitFor();
      expect(await mia.getByLabel('New password').count()).toBe(0);
      await mia.getByRole('button', { name: /^Signed in as Mia/ }).click();
      await mia.getByRole('menuitem', { name: 'Sign out' }).click();
      await mia.getByRole('link', { name: 'Sign in with Example' }).waitFor();
      expect(await mia.getByLabel('Password').count()).toBe(0);
      expect(await mia.getByLabel('Name of your user').count()).toBe(0);
      expect(await seriousFindings(mia)).toEqual([]);
      await picture(mia, 'company-alone');
      await mia.getByRole('link', { name: 'Sign in with Example' }).click();
      await mia.getByRole('button', { name: /^Signed in as Mia/ }).waitFor();
      await mia.unroute('**/session/methods');
    });
  });
}

/** Enters who one is, at the provider. */
async function enter(page: Page): Promise<void> {
  await page.locator('input[name="login"]').fill('mia@example.com');
  await page.locator('input[name="password"]').fill('any');
  await page.locator('button[type="submit"]').click();
}
