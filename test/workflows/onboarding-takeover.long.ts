import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CaseDetail } from '../../api/onboarding/case-detail.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import {
  type ApplicantValues,
  anIndividual,
  aPdf,
  decideUser,
  expectSignedUpOnce,
  submitApplicant,
  textIn,
  untilCase,
} from '../helpers/onboarding-under-test.ts';
import { type PayrunUnderTest, startPayrun } from '../helpers/payrun-under-test.ts';
import { clearFaults, orderFaults } from '../helpers/sandbox-control.ts';
import { until } from '../helpers/until.ts';
import { aUser, type TestUser } from '../helpers/users.ts';

let payrun: PayrunUnderTest;
let onboarder: TestUser;

beforeAll(async () => {
  payrun = await startPayrun({
    sandbox: { screeningOutcome: 'operator', secondSignUp: 'accept', signupUserId: 'returned', userEvents: 'every' },
  });
  onboarder = await aUser(payrun.testDatabase, 'Olivia Onboarder', 'onboarder');
});
afterEach(() => clearFaults(payrun.sandbox));
afterAll(() => payrun.stop());

async function caseOf(caseId: string): Promise<CaseDetail> {
  const shown = await payrun.application.findCase(onboarder, caseId, { withValues: false });
  if (shown === null) throw new Error('there is no such case');
  return shown;
}

describe('a user who exists already', () => {
  /** As another program of the account holder would. */
  async function signUpElsewhere(email: string): Promise<string> {
    const answer = await fetch(`${payrun.sandbox.url}/v2/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': defaultAccount.apiKey },
      body: JSON.stringify({
        ...{ firstName: 'Anna', lastName: 'Example', email, countryCode: 'SG', accountType: 'individual' },
      }),
    });
    return ((await answer.json()) as { userId: string }).userId;
  }

  test('is taken over by id when mail address and names are the same, without a sign-up', async () => {
    const values = anIndividual();
    const userId = await signUpElsewhere(textIn(values, 'email'));
    const caseId = await submitApplicant(payrun, onboarder, { ...values, provider_user_id: userId });
    const screened = await untilCase(payrun, onboarder, caseId, 'screening');
    expect(screened).toMatchObject({ userId, isExistingUser: true });
    expect(screened.requests.map(({ operation }) => operation)).not.toContain('sign_up');
  });

  test('of a case that was withdrawn is taken over by another case, and not signed up again', async () => {
    const values = anIndividual();
    await orderFaults(payrun.sandbox, { operation: 'user-detail-patch', kind: 'error_before', status: 400 });
    const first = await submitApplicant(payrun, onboarder, values);
    const { userId } = await untilCase(payrun, onboarder, first, 'incomplete');
    await payrun.application.withdrawCase(onboarder, first, 'wrong reference');
    const again = { ...values, applicant_ref: `${textIn(values, 'applicant_ref')}-again` };
    await expect(submitApplicant(payrun, onboarder, again)).rejects.toThrow('take the user over');
    const second = await submitApplicant(payrun, onboarder, { ...again, provider_user_id: userId ?? '' });
    expect(await untilCase(payrun, onboarder, second, 'screening')).toMatchObject({ userId, isExistingUser: true });
    await expectSignedUpOnce(payrun.sandbox);
  });

  test.each([
    ['email', 'other_mail_address'],
    ['last_name', 'other_names'],
    ['provider_user_id', 'no_such_user'],
  ])('is not taken over with another %s, and the reason says so', async (field, reason) => {
    const values = anIndividual();
    const userId = await signUpElsewhere(textIn(values, 'email'));
    const other = { email: 'somebody@example.com', last_name: 'Else' }[field] ?? 'nobody-0001';
    const adopted = { ...values, provider_user_id: userId, [field]: other };
    const caseId = await submitApplicant(payrun, onboarder, adopted);
    const refused = await until(async () => {
      const shown = await caseOf(caseId);
      return !['draft', 'signing_up'].includes(shown.state) && shown;
    });
    expect(refused).toMatchObject({ state: 'refused', stateReason: reason, userId: null });
    expect(refused.requests).toEqual([]);
  });

  /** A case that had its documents sent, was asked for something, and was withdrawn. */
  async function withdrawnCase(values: ApplicantValues): Promise<string> {
    const caseId = await submitApplicant(payrun, onboarder, values);
    const { userId } = await untilCase(payrun, onboarder, caseId, 'screening');
    await decideUser(payrun.sandbox, userId ?? '', 'documents_need_resubmission', 'blurred');
    await untilCase(payrun, onboarder, caseId, 'resubmission');
    await payrun.application.withdrawCase(onboarder, caseId, 'wrong reference');
    return userId ?? '';
  }

  /** As the provider's operator sees them. */
  async function documentsAt(userId: string): Promise<{ id: string; documentType: string; content: string }[]> {
    const headers = await providerHeaders();
    const answer = await fetch(`${payrun.sandbox.url}/v2/users/${userId}/documents`, { headers });
    const { value } = (await answer.json()) as { value: { id: string; documentType: string }[] };
    return Promise.all(
      value.map(async ({ id, documentType }) => {
        const one = await fetch(`${payrun.sandbox.url}/v2/users/${userId}/documents/${id}`, { headers });
        // The contract spells the name in two ways.
        const fields = Object.entries((await one.json()) as Record<string, string>);
        const [, address = ''] = fields.find(([name]) => name.startsWith('download')) ?? [];
        const file = await fetch(new URL(address, payrun.sandbox.url));
        return { id, documentType, content: await file.text() };
      }),
    );
  }

  async function providerHeaders(): Promise<Record<string, string>> {
    const { apiKey, accessKeyId, secretAccessKey } = defaultAccount;
    const answer = await fetch(`${payrun.sandbox.url}/users/v1/authenticate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      body: JSON.stringify({ accessKeyId, secretAccessKey }),
    });
    const { token } = (await answer.json()) as { token: string };
    return { 'x-api-key': apiKey, authorization: token };
  }

  test('has the documents of an earlier case replaced, and others left beside them', async () => {
    const values = anIndividual();
    const userId = await withdrawnCase(values);
    const before = await documentsAt(userId);
    const again = {
      ...values,
      applicant_ref: `${textIn(values, 'applicant_ref')}-again`,
      provider_user_id: userId,
      documents: { passport: 'new-passport.pdf', bank_statement: 'statement.pdf' },
    };
    const second = await submitApplicant(payrun, onboarder, again);
    const ready = await until(async () => {
      const shown = await caseOf(second);
      return shown.documents.every(({ state }) => state === 'verified') && shown;
    });
    expect(ready.isExistingUser).toBe(true);
    const after = await documentsAt(userId);
    const idOf = (type: string) => before.find(({ documentType }) => documentType === type)?.id;
    expect(after.map(({ documentType }) => documentType).sort()).toEqual([
      'bank_statement',
      'passport',
      'utility_bill',
    ]);
    expect(after.find(({ id }) => id === idOf('passport'))?.content).toBe(
      Buffer.from(aPdf('new-passport.pdf')).toString(),
    );
    expect(after.find(({ id }) => id === idOf('utility_bill'))?.content).toBe(Buffer.from(aPdf('bill.pdf')).toString());
  });

  test('has a document created again that the provider no longer has', async () => {
    const values = anIndividual();
    const userId = await withdrawnCase(values);
    const headers = await providerHeaders();
    for (const { id } of await documentsAt(userId)) {
      await fetch(`${payrun.sandbox.url}/v2/users/${userId}/documents/${id}`, { method: 'DELETE', headers });
    }
    expect(await documentsAt(userId)).toEqual([]);
    const applicantRef = `${textIn(values, 'applicant_ref')}-again`;
    const again = { ...values, applicant_ref: applicantRef, provider_user_id: userId };
    const second = await submitApplicant(payrun, onboarder, again);
    await until(async () => (await caseOf(second)).documents.every(({ state }) => state === 'verified'));
    expect(await documentsAt(userId)).toHaveLength(2);
  });
});
