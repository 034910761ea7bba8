import { randomUUID } from 'node:crypto';
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

  test('another mail address for the codes of a user is proposed, and the change says which', async () => {
    const { ada } = people();
    await ada.goto('/admin');
    await ada.getByRole('button', { name: 'Change Mia Maker' }).click();
    const dialog = ada.getByRole('dialog');
    await dialog.getByLabel('Mail address for codes').fill('mia@example.com');
    await dialog.getByRole('button', { name: 'Propose' }).click();
    await dialog.getByText('What takes a second administrator stands under Changes').waitFor();
    expect(await seriousFindings(ada)).toEqual([]);
    await ada.goto('/admin/changes');
    const card = ada.locator('.card').filter({ hasText: /codes to sign in of Mia Maker go to mia@example.com/ });
    await card.getByRole('button', { name: 'Object …' }).click();
    await ada.getByRole('dialog').getByRole('button', { name: 'Reject the change' }).click();
    await card.getByText('rejected').waitFor();
  });

  test('a code that was mailed is not shown, and one that was not sent is said to work no more', async () => {
    const { ada } = people();
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    for (const [problem, said] of [
      [null, 'The code was sent to zoe@example.com'],
      ['The mail server cannot be reached.', 'The code was not sent to zoe@example.com'],
    ] as const) {
      const mailed = { to: 'zoe@example.com', expiresAt, problem };
      const added = { userId: randomUUID(), change: null, invitation: null, mailed, invitationChange: null };
      await ada.route('**/api/v1/users', (route) =>
        route.request().method() === 'POST' ? route.fulfill({ status: 201, json: added }) : route.continue(),
      );
      await ada.goto('/admin');
      await ada.getByRole('button', { name: 'Add a user …' }).click();
      const dialog = ada.getByRole('dialog');
      await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Zoe');
      await dialog.getByLabel('Signs in as').fill('zoe');
      await dialog.getByLabel('Mail address').fill('zoe@example.com');
      await dialog.getByRole('checkbox', { name: 'auditor' }).check();
      await dialog.getByRole('button', { name: 'Add them' }).click();
      await dialog.getByText(said).waitFor();
      expect(await seriousFindings(ada)).toEqual([]);
      await ada.unroute('**/api/v1/users');
    }
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
