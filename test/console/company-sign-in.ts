import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';

export function describeCompanySignIn(people: () => { mia: Page; issuer: string }): void {
  describe('the sign-in of the company', () => {
    test('is connected by a user, and signs them in at the page that they wanted', async () => {
      const { mia, issuer } = people();
      await mia.goto('/account');
      await mia.getByText('Not connected.').waitFor();
      await mia.getByRole('button', { name: 'Connect it' }).click();
      await mia.waitForURL(`${issuer}/**`);
      await mia.locator('input[name="login"]').fill('mia@example.com');
      await mia.locator('input[name="password"]').fill('any');
      await mia.locator('button[type="submit"]').click();
      // The provider asks whether payrun may know who they are.
      await mia.getByRole('button', { name: 'Continue' }).click();
      await mia.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
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
  });
}
