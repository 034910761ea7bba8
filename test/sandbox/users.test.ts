import { expect, test } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, asText } from './a-sandbox.ts';
import { aCompany, allDetails, aSignUp, aUser, patchDetails as patch, screen } from './sample-users.ts';
import { eventually } from '../helpers/until.ts';

test('a user signs up, is completed, screened and decided, and every status is notified', async () => {
  const { url, received } = await aReceiver();
  const caller = await (await aSandbox({ webhookUrl: url })).signIn();
  const userId = await aUser(caller, { accountType: 'individual' });
  const { text, body } = await patch(caller, userId, { ...allDetails, occupation: 'Trader' });
  expect(body, text).toMatchObject({ occupation: 'Trader', status: { value: 'complete', missing_fields: [] } });
  expect((await screen(caller, userId)).body).toEqual({ userId, status: 'pending_approval' });
  const decision = { userId, outcome: 'documents_need_resubmission', remarks: 'The photo is blurred' };
  await caller.post('/__sandbox/screenings', decision);
  const user = await caller.get(`/v2/users/${userId}`);
  expect(user.body).toMatchObject({ id: userId, status: decision.outcome, remarks: decision.remarks });
  expect((await screen(caller, userId)).body['status']).toBe('pending_approval');
  await caller.post('/__sandbox/force', { userId, status: 'approved' });
  expect((await caller.get(`/v2/users/${userId}`)).body).not.toHaveProperty('remarks');
  await eventually(() => expect(received).toHaveLength(6));
  expect(received[0]!.body).toEqual({ resource: 'user', resourceId: userId, status: 'pending_phone' });
  expect(received.map((each) => each.body['status'])).toEqual([
    'pending_phone',
    'pending_docs',
    'pending_approval',
    'documents_need_resubmission',
    'pending_approval',
    'approved',
  ]);
});

test('a screening names the missing details; an expiry date is required for a passport', async () => {
  const caller = await (await aSandbox()).signIn();
  const userId = await aUser(caller, { accountType: 'individual' });
  const fresh = await caller.get(`/v2/users/${userId}/detail`);
  expect(fresh.body).toMatchObject({ firstName: 'Mei', title: null, status: { value: 'incomplete' } });
  await patch(caller, userId, { ...allDetails, identificationType: 'passport', gender: null });
  const refused = await screen(caller, userId);
  expect([refused.status, refused.body['code']]).toEqual([400, 'details_incomplete']);
  expect(refused.body['message']).toMatch(/: gender, expiryDate$/);
});

test('a screening of a company requires the company as well', async () => {
  const caller = await (await aSandbox()).signIn();
  const userId = await aUser(caller);
  await patch(caller, userId, allDetails);
  expect((await screen(caller, userId)).body['message']).toMatch(/: countryOfIncorporation of the company, /);
  const { accountId } = (await caller.get(`/v2/users/${userId}`)).body;
  await caller.send('PATCH', `/v2/company/${asText(accountId)}`, aCompany);
  expect((await screen(caller, userId)).body).toEqual({ userId, status: 'pending_approval' });
});

test('details are merged: null removes a detail, and omitted details are unchanged', async () => {
  const caller = await (await aSandbox()).signIn();
  const userId = await aUser(caller);
  await patch(caller, userId, { city: 'Singapore', state: 'Central' });
  const { body } = await patch(caller, userId, { city: null });
  expect(body).toMatchObject({ city: null, state: 'Central', lastName: 'Tan' });
});

test.each([
  [{ dateOfBirth: '1988-02-29' }, 'dateOfBirth'],
  [{ issueDate: '30-02-2010' }, 'issueDate'],
  [{ employmentIndustry: 'Banking/Financial/Insurance' }, 'employmentIndustry'],
  [{ nationality: 'Singapore' }, 'nationality'],
  [{ status: 'complete' }, 'status'],
])('details of %j are refused and the field is named', async (details, field) => {
  const caller = await (await aSandbox()).signIn();
  const { status, body } = await patch(caller, await aUser(caller), details);
  expect([status, body['code']]).toEqual([400, 'validation_failed']);
  expect(body['message']).toContain(`${field}:`);
});

test('dates of the other format are accepted if the switch allows it', async () => {
  const iso = { dateOfBirth: '1988-02-29' };
  const A = await (await aSandbox({ userDateFormat: 'YYYY-MM-DD' })).signIn();
  const userId = await aUser(A);
  expect((await patch(A, userId, { ...iso, issueDate: '1 March 2010' })).body).toMatchObject(iso);
  expect((await patch(A, userId, { dateOfBirth: '29-02-1988' })).status).toBe(400);
  const either = await (await aSandbox({ userDateFormat: 'either' })).signIn();
  const other = await aUser(either);
  expect((await patch(either, other, iso)).status).toBe(200);
  expect((await patch(either, other, { dateOfBirth: '29-02-1988' })).status).toBe(200);
});

test('a screening can be decided automatically, and can ignore missing details', async () => {
  const options = { screeningOutcome: 'approved' as const, screeningIncomplete: 'unchanged' as const };
  const caller = await (await aSandbox(options)).signIn();
  const userId = await aUser(caller, { accountType: 'individual' });
  expect((await screen(caller, userId)).body['status']).toBe('pending_phone');
  await patch(caller, userId, allDetails);
  await screen(caller, userId);
  caller.sandbox.advance(60_000);
  expect((await caller.get(`/v2/users/${userId}`)).body['status']).toBe('approved');
});

test.each([
  [{ firstName: 'x'.repeat(65) }, 'firstName'],
  [{ email: 'mei' }, 'email'],
  [{ password: 'longenough' }, 'password'],
  [{ password: 'short1' }, 'password'],
  [{ password: 'with space 1' }, 'password'],
  [{ countryCode: 'XX' }, 'countryCode'],
  [{ accountType: 'person' }, 'accountType'],
])('a sign-up of %j is refused and the field is named', async (differences, field) => {
  const { status, body } = await (await aSandbox()).post('/v2/signup', { ...aSignUp, ...differences });
  expect([status, body['code']]).toEqual([400, 'validation_failed']);
  expect(body['message']).toContain(`${field}:`);
});

test('a sign-up needs no token, an e-mail can sign up once, and options change the answer', async () => {
  const caller = await aSandbox();
  const { body } = await caller.post('/v2/signup', aSignUp);
  expect(body).toEqual({ userId: expect.any(String) as string, ...aSignUp, language: 'en' });
  const again = await caller.post('/v2/signup', { ...aSignUp, email: 'MEI@example.com' });
  expect([again.status, again.body['code']]).toEqual([409, 'email_taken']);
  const earlier = await aSandbox({ signupCompanyName: 'off', signupUserId: 'omitted', initialUserStatus: 'inactive' });
  expect((await earlier.post('/v2/signup', aSignUp)).body).toEqual({
    ...aSignUp,
    userId: undefined,
    companyName: undefined,
    language: 'en',
  });
});

test('a second sign-up with an e-mail makes a second user if it is accepted, and the ledger lists both ids', async () => {
  const caller = await aSandbox({ secondSignUp: 'accept' });
  const first = await aUser(caller);
  const other = await aUser(caller, { email: 'lee@example.com' });
  expect(caller.sandbox.ledger()).toMatchObject({ signedUpMoreThanOnce: [], users: { pending_phone: 2 } });
  const second = await aUser(caller, { email: 'MEI@example.com' });
  expect(new Set([first, other, second]).size).toBe(3);
  expect(caller.sandbox.ledger()).toMatchObject({
    signedUpMoreThanOnce: [[first, second]],
    users: { pending_phone: 3 },
  });
  expect(JSON.stringify(caller.sandbox.ledger())).not.toContain('@');
});

test('a legacy sign-up issues a working access key, and repeats undefined fields', async () => {
  const caller = await aSandbox();
  const legacy = { ...aSignUp, password: 'pw', products: 'fx', country: 'SG', mobileCountryCode: '+65' };
  const { body } = await caller.post('/users/v1/signup', legacy);
  expect(body).toMatchObject({ email: aSignUp.email, products: 'fx', country: 'SG', mobileCountryCode: '+65' });
  await caller.signIn(asText(body['accessKeyId']), asText(body['secretAccessKey']));
  expect((await caller.get(`/v2/users/${asText(body['userId'])}`)).body['email']).toBe(aSignUp.email);
  const wrong = { accessKeyId: body['accessKeyId'], secretAccessKey: defaultAccount.secretAccessKey };
  expect((await caller.post('/users/v1/authenticate', wrong)).status).toBe(401);
});

test('a forgotten password and a lost mail have the same answer for every e-mail', async () => {
  const caller = await aSandbox();
  const forgot = await caller.post('/users/v1/forgot-password', { email: 'nobody@example.com' });
  expect([forgot.status, typeof forgot.body['message']]).toEqual([200, 'string']);
  expect((await caller.post('/users/v1/signup/resend', { email: 'nobody@example.com' })).text).toBe('{}');
  expect((await caller.post('/users/v1/signup/resend', {})).body['message']).toContain('email:');
});

test('the countries are a list without an envelope, each with its name and dialling code', async () => {
  const { body } = await (await aSandbox()).get('/users/v1/countries');
  const countries = body as unknown as Record<string, string>[];
  expect(countries).toContainEqual({
    ituTelephoneCode: '+65',
    iso3166TwoLetterCode: 'SG',
    commonName: 'Singapore',
  });
  expect(countries.filter(({ ituTelephoneCode }) => !/^\+\d{1,3}$/.test(ituTelephoneCode!))).toEqual([]);
});

test("a company is updated completely and before the screening only; another caller's account does not exist", async () => {
  const caller = await (await aSandbox({ companyPostalCode: 'number' })).signIn();
  const userId = await aUser(caller);
  const path = `/v2/company/${asText((await caller.get(`/v2/users/${userId}`)).body['accountId'])}`;
  expect((await caller.get(path)).body).toMatchObject({ companyName: 'Tan Trading', city: null });
  const updated = await caller.send('PATCH', path, { ...aCompany, companyName: 'Ignored' });
  expect(updated.body).toMatchObject({ ...aCompany, companyName: 'Tan Trading' });
  await caller.send('PATCH', path, { ...aCompany, postalCode: '018956' });
  expect((await caller.get(path)).body['postalCode']).toBe('018956');
  expect((await caller.send('PATCH', path, { ...aCompany, city: undefined })).body['message']).toContain('city:');
  const isoDate = { ...aCompany, incorporationDate: '2001-12-31' };
  expect((await caller.send('PATCH', path, isoDate)).body['message']).toContain('incorporationDate:');
  await caller.post('/__sandbox/force', { userId, status: 'pending_approval' });
  const frozen = await caller.send('PATCH', path, aCompany);
  expect([frozen.status, frozen.body['code']]).toEqual([409, 'account_status_not_allowed']);
  const individual = await aUser(caller, { accountType: 'individual', email: 'lee@example.com' });
  const { accountId } = (await caller.get(`/v2/users/${individual}`)).body;
  expect((await caller.get(`/v2/company/${asText(accountId)}`)).status).toBe(404);
});
