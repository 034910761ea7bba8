import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import type { DoneOrChange } from '../../api/approvals/change.ts';
import type { AddedUser, UserRequest } from '../../api/users/user.ts';
import { seriousFindings } from './console-stack.ts';
import { comeBackLater } from './changing-answers.ts';

/** What another administrator reads before they confirm a change, once a run was approved: until then changes need nobody else. */
export function describeChangesOfUsers(people: () => { mia: Page; ada: Page }): void {
  describe('a change that takes a second administrator', () => {
    let changeId = '';

    test('says that a limited user is given all accounts', async () => {
      const { ada } = people();
      const bob: UserRequest = { login: 'bob', name: 'Bob', roles: ['checker'] };
      const { userId } = await ask<AddedUser>(ada, 'POST', '/users', bob);
      await ask(ada, 'PUT', `/users/${userId}/accounts`, { accounts: ['default'] });
      const { change } = await ask<DoneOrChange>(ada, 'PUT', `/users/${userId}/accounts`, { accounts: null });
      changeId = change?.changeId ?? '';
      await ada.goto('/admin/changes');
      await ada.getByText('Bob becomes checker').waitFor();
      await ada.getByText('Bob may use all accounts').waitFor();
    });

    test('is shown to everyone with a role on every page, until they hide it', async () => {
      const { mia } = people();
      await mia.goto('/runs');
      const notice = mia.getByRole('note').filter({ hasText: /changes of users, policy or provider wait/ });
      await notice.getByText(/unless somebody objects|once a second administrator confirms it/).waitFor();
      expect(await seriousFindings(mia)).toEqual([]);
      await notice.getByRole('link', { name: 'Look at them' }).click();
      await mia.getByText('Bob becomes checker').waitFor();
      expect(await mia.getByRole('button', { name: 'Object …' }).count()).toBe(0);
      await mia.getByRole('link', { name: 'Policy', exact: true }).click();
      await mia.getByRole('table', { name: 'Rules' }).waitFor();
      await notice.getByRole('button', { name: 'Hide' }).click();
      await notice.waitFor({ state: 'detached' });
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

  test('what cannot be taken back is asked first: a user is disabled by a dialog that names what is lost', async () => {
    const { ada } = people();
    await ada.goto('/admin');
    await ada.getByRole('button', { name: 'Change Bob' }).click();
    const dialog = ada.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Disable …' }).click();
    await dialog.getByText(/their tokens are revoked/).waitFor();
    expect(await seriousFindings(ada)).toEqual([]);
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await ada.getByText('· disabled').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Disable …' }).click();
    await dialog.getByRole('button', { name: 'Disable Bob' }).click();
    await ada.getByText('· disabled').waitFor();
  });

  test('the account page has one’s own sessions alone, and the administration those of everybody', async () => {
    const { mia, ada } = people();
    await ada.goto('/account');
    await ada.getByRole('table', { name: 'Sessions' }).getByText('this one').waitFor();
    expect(await ada.getByRole('table', { name: 'Sessions' }).getByText('Mia Maker').count()).toBe(0);
    await ada.goto('/admin/sessions');
    const theirs = ada.getByRole('row').filter({ hasText: 'Mia Maker' });
    await theirs.getByRole('button', { name: 'End the session of Mia Maker' }).first().click();
    await ada
      .getByRole('dialog')
      .getByText(/has to sign in again/)
      .waitFor();
    await ada.getByRole('dialog').getByRole('button', { name: 'Back' }).click();
    await mia.goto('/account');
    await mia.getByRole('heading', { name: 'Your tokens' }).waitFor();
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
