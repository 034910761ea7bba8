import { describe, expect, test } from 'vitest';
import { effectOfChange } from '../../api/approvals/change-effects.ts';
import { CHANGE_KINDS } from '../../domain/approvals/change-kind.ts';

/** What an administrator reads before they confirm a change of another one. */

const BOB = { userId: 'u-1', name: 'Bob' };
const effectOf = (kind: string, detail: Record<string, unknown>, user: typeof BOB | null = BOB): string =>
  effectOfChange({ kind, user, detail });

describe('the effect of a change', () => {
  test.each(CHANGE_KINDS)('has words of its own: %s', (kind) => {
    expect(effectOf(kind, { roles: ['checker'], accounts: ['default'] })).not.toContain(kind);
  });

  test('says that all accounts are given, where the change names none', () => {
    expect(effectOf('set_accounts', { accounts: null })).toBe('Bob may use all accounts');
    expect(effectOf('set_accounts', { accounts: ['default', 'subsidiary'] })).toBe(
      'Bob may use only default, subsidiary',
    );
  });

  test('names every part that is to be looked at', () => {
    expect(effectOf('grant_roles', { roles: ['checker', 'treasurer'] })).toBe('Bob becomes checker, treasurer');
    const provider = { account: 'default', apiAddress: 'https://provider.example', accessKey: 'ab12' };
    for (const part of Object.values(provider)) expect(effectOf('change_provider', provider, null)).toContain(part);
    const endpoint = { endpoint: 'e-1', name: 'books', kind: 'webhook', target: 'https://hooks.example' };
    expect(effectOf('add_endpoint', endpoint, null)).toBe('notifications go to books (https://hooks.example)');
  });

  test('hides nothing of a kind that a later version has', () => {
    expect(effectOf('set_limits', { limit: null, of: 'EUR' })).toBe('set_limits of Bob: {"limit":null,"of":"EUR"}');
  });
});
