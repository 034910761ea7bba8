import { describe, expect, it } from 'vitest';
import type { ProviderAccount } from '../../api/accounts/provider-account.ts';
import { anApp } from './server-harness.ts';

const RULES = [
  { name: 'all', when: {}, steps: [{ role: 'checker' }] },
  { name: 'large', when: { totalAtLeast: '50000.00' }, steps: [{ role: 'checker' }, { role: 'checker' }] },
];
const POLICY = { rules: RULES, changes: { delayHours: 72 } };

describe('a policy that is checked', () => {
  const url = '/api/v1/policy/check';
  const check = (payload: object) => anApp().as('maker', { method: 'POST', url, payload });

  it('comes back as it was read, with what is easily overlooked in it', async () => {
    const [all, large] = RULES;
    const written = { ...POLICY, rules: [{ name: all?.name, steps: all?.steps }, large] };
    expect((await check({ policy: written })).json()).toEqual({
      policy: POLICY,
      remarks: ['the rule "large" is never reached: a rule before it fits every run'],
      explanation: null,
      ofRun: null,
    });
  });

  it('says what a run would need by it, if one is asked about', async () => {
    const { as, application } = anApp();
    application.explanation = { rule: 'all', skippedRules: [], steps: [], needsSecondFactor: false };
    const run = { account: 'default', currency: 'EUR', total: '100.00', newBeneficiary: true };
    const answer = await as('maker', { method: 'POST', url, payload: { policy: POLICY, run } });
    expect(answer.json()).toMatchObject({ explanation: { rule: 'all' } });
  });

  it('is proposed by nothing of this', async () => {
    const { as, application } = anApp();
    await as('administrator', { method: 'POST', url, payload: { policy: POLICY } });
    expect(application.calls).toEqual([]);
  });

  it('is refused with the place of what is wrong', async () => {
    const rules = [RULES[0], { ...RULES[1], when: { totalAtLeast: 50_000 } }];
    const answer = await check({ policy: { ...POLICY, rules } });
    expect(answer.statusCode).toBe(400);
    const { error } = answer.json<{ error: { details: { fields: { field: string }[] } } }>();
    expect(error.details.fields.map(({ field }) => field)).toEqual(['body.policy.rules.1.when.totalAtLeast']);
  });
});

describe('the accounts with a provider', () => {
  const account = (name: string): ProviderAccount => ({ account: name, provider: null, limits: null });

  it('are listed to whoever may read runs, and only those that they may use', async () => {
    const { as, application } = anApp();
    application.providerAccounts = [account('default'), account('subsidiary')];
    const maker = application.users.get('maker-token-1');
    if (maker !== undefined) application.users.set('maker-token-1', { ...maker, accounts: ['subsidiary'] });
    const listed = async (role: 'maker' | 'viewer') =>
      (await as(role, { url: '/api/v1/provider-accounts' }))
        .json<{ accounts: ProviderAccount[] }>()
        .accounts.map((each) => each.account);
    expect(await listed('viewer')).toEqual(['default', 'subsidiary']);
    expect(await listed('maker')).toEqual(['subsidiary']);
  });
});
