import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { AddedUser, LimitedUser, UserRequest } from '../../api/users/user.ts';
import { comeBackLater } from './changing-answers.ts';

/** What another administrator reads before they confirm a change, once a run was approved: until then changes need nobody else. */
export function describeChangesOfUsers(people: () => { ada: Page }): void {
  describe('a change that takes a second administrator', () => {
    let changeId = '';

    test('says that a limited user is given all accounts', async () => {
      const { ada } = people();
      const bob: UserRequest = { login: 'bob', name: 'Bob', roles: ['checker'] };
      const { userId } = await ask<AddedUser>(ada, 'POST', '/users', bob);
      await ask(ada, 'PUT', `/users/${userId}/accounts`, { accounts: ['default'] });
      const { change } = await ask<LimitedUser>(ada, 'PUT', `/users/${userId}/accounts`, { accounts: null });
      changeId = change?.changeId ?? '';
      await ada.goto('/admin/changes');
      await ada.getByText('Bob becomes checker').waitFor();
      await ada.getByText('Bob may use all accounts').waitFor();
    });

    test('is decided in a dialog that says it again, and closes when somebody else has decided', async () => {
      const { ada } = people();
      const dialog = ada.getByRole('dialog');
      const card = (effect: string) => ada.locator('.card').filter({ hasText: effect });
      await card('Bob may use all accounts').getByRole('button', { name: 'Object …' }).click();
      await dialog.getByText('Bob may use all accounts').waitFor();
      await ask(ada, 'POST', `/changes/${changeId}/reject`);
      await comeBackLater(ada);
      await ada.getByText('What waits for a second administrator has changed while you looked at it').waitFor();
      await dialog.waitFor({ state: 'detached' });
      await card('Bob becomes checker').getByRole('button', { name: 'Object …' }).click();
      await dialog.getByText('Bob becomes checker').waitFor();
      await dialog.getByRole('button', { name: 'Reject the change' }).click();
      await dialog.waitFor({ state: 'detached' });
      await card('Bob becomes checker').getByText('rejected').waitFor();
      expect(await ada.getByText('has changed while you looked at it').count()).toBe(0);
    });
  });
}

async function ask<Answer>(page: Page, method: string, path: string, body?: unknown): Promise<Answer> {
  const request = {
    method,
    headers: { 'x-payrun-console': '1', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
  const sent = `fetch('/api/v1${path}', ${JSON.stringify(request)})`;
  return page.evaluate<Answer>(`${sent}.then((r) => (r.ok ? r.json() : Promise.reject(new Error(String(r.status)))))`);
}
