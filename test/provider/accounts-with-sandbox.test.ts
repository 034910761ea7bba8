import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderClient } from '../../provider/client.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { aClient } from './local-provider.ts';

async function aClientOfTheSandbox(): Promise<ProviderClient> {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0 });
  onTestFinished(() => sandbox.close());
  return aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now });
}

test('a company is signed up, updated, documented and screened', async () => {
  const { users, company, documents, registration } = await aClientOfTheSandbox();
  expect((await registration.countries()).map((country) => country.iso3166TwoLetterCode)).toContain('SG');
  const { userId } = await users.signUp({
    firstName: 'Ada',
    lastName: 'Example',
    email: 'ada@example.com',
    password: 'passw0rd-of-ada',
    countryCode: 'SG',
    accountType: 'company',
    companyName: 'Example Pte Ltd',
  });
  const { accountId } = await users.get(userId);
  await users.updateDetails(userId, { mobileCountryCode: '+65', mobileNumber: '81234567', dateOfBirth: '1990-12-31' });
  const updated = await company.update(accountId ?? '', {
    countryOfIncorporation: 'SG',
    countryOfOperations: 'SG',
    businessType: 'Manufacturing',
    companyAddress: '1 Example Road',
    postalCode: '018989',
    state: 'Singapore',
    city: 'Singapore',
    registrationNumber: '201912345A',
    incorporationDate: '2019-01-31',
  });
  expect(updated.incorporationDate?.isoDay).toBe('2019-01-31');
  expect((await company.get(accountId ?? '')).registrationNumber).toBe('201912345A');

  const document = await documents.create(userId, { documentType: 'passport', documentName: 'passport.png' });
  const bytes = new Uint8Array([0, 255, 137, 80]);
  const empty = await documents.get(userId, document.id);
  if (empty.downloadUrl !== null) expect(await documents.downloadFile(empty.downloadUrl)).toBeNull();
  await documents.uploadFile({ uploadUrl: document.uploadUrl, contentType: 'image/png', bytes });
  const [listed] = await documents.list(userId);
  const file = await documents.downloadFile(listed?.downloadUrl ?? '');
  expect(Buffer.from(file?.bytes ?? []).equals(bytes)).toBe(true);
  expect((await documents.remove(userId, document.id))?.id).toBe(document.id);
  expect(await documents.list(userId)).toEqual([]);

  await expect(users.screen(userId)).rejects.toMatchObject({ kind: 'refused', httpStatus: 400 });
  const details = await users.updateDetails(userId, {
    firstName: 'Ada',
    lastName: 'Example',
    gender: 'female',
    countryOfBirth: 'SG',
    nationality: 'SG',
    countryOfResidence: 'SG',
    residentialAddress: '2 Example Road',
    countryCode: 'SG',
    postalCode: '018989',
    identificationType: 'nric',
    identificationNumber: 'S1234567D',
    issueDate: '2010-01-02',
    employmentIndustry: 'Science',
    employmentStatus: 'Employed',
    employmentPosition: 'Owner',
  });
  expect(details.status?.missingFields).toEqual([]);
  expect((await users.details(userId)).dateOfBirth?.isoDay).toBe('1990-12-31');
  expect((await users.screen(userId)).status).toBe('pending_approval');
});

test('the credentials of an older sign-up authenticate', async () => {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0 });
  onTestFinished(() => sandbox.close());
  const client = aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now });
  const email = 'ada@example.com';
  const issued = await client.registration.legacySignUp({
    firstName: 'Ada',
    lastName: 'Example',
    email,
    password: 'passw0rd-of-ada',
    products: 'payments',
    country: 'SG',
    accountType: 'individual',
  });
  await client.registration.forgotPassword(email);
  await client.registration.resendConfirmation(email);
  const credentials = {
    apiKey: defaultAccount.apiKey,
    accessKeyId: issued.accessKeyId.reveal(),
    secretAccessKey: issued.secretAccessKey.reveal(),
  };
  const own = aClient({ baseUrl: sandbox.url }, { credentials, now: Date.now });
  expect(await own.currencies.pairs()).not.toEqual([]);
});

test('a conversion is quoted, created, found and funded once', async () => {
  const { conversions } = await aClientOfTheSandbox();
  const request = { buyCurrency: 'USD', sellCurrency: 'SGD', fixedSide: 'buy', amount: '10.50' } as const;
  const { quoteId } = await conversions.quote(request);
  const referenceId = randomUUID();
  const { conversionId } = await conversions.create({ quoteId, referenceId, uniqueReferenceId: true });
  const again = { quoteId: (await conversions.quote(request)).quoteId, referenceId, uniqueReferenceId: true };
  await expect(conversions.create(again)).rejects.toMatchObject({ kind: 'duplicate_reference' });
  expect((await conversions.find({ referenceId })).map((found) => found.conversionId)).toEqual([conversionId]);
  await conversions.fund({ conversionId });
  await expect(conversions.fund({ conversionId })).rejects.toMatchObject({ kind: 'refused', httpStatus: 409 });
  expect((await conversions.item(conversionId)).referenceId).toBe(referenceId);
});

test('fundings of more than one page are all listed, and each can be read', async () => {
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0 });
  onTestFinished(() => sandbox.close());
  const { fundings, refunds } = aClient({ baseUrl: sandbox.url }, { credentials: defaultAccount, now: Date.now });
  const amounts = Array.from({ length: 41 }, (_, index) => `${index + 1}.50`);
  for (const amount of amounts) {
    const body = JSON.stringify({ currency: 'SGD', amount });
    const headers = { 'Content-Type': 'application/json' };
    expect((await fetch(`${sandbox.url}/__sandbox/fundings`, { method: 'POST', headers, body })).status).toBe(200);
  }
  const listed = await fundings.list({ status: 'completed' });
  expect(listed.map(({ amount }) => Number(amount)).sort((one, other) => one - other)).toEqual(amounts.map(Number));
  expect(await fundings.get(listed[0]!.id)).toEqual(listed[0]);
  expect(await fundings.list({ status: 'pending' })).toEqual([]);
  expect(await refunds.list()).toEqual([]);
});

test('a virtual account is requested, and its request is read from the configured path', async () => {
  const virtualAccountRequestPath = '/virtual-accounts/v1/requests/item/:requestId';
  const sandbox = await startSandbox({ answers: 'plain', limitPerSecond: 0, virtualAccountRequestPath });
  onTestFinished(() => sandbox.close());
  const own = { credentials: defaultAccount, now: Date.now, virtualAccountRequestPath };
  const { virtualAccounts } = aClient({ baseUrl: sandbox.url }, own);
  const account = { name: 'Rent 2026', provider: 'a_bank', currency: 'IDR', description: 'Rent' };
  const requested = await virtualAccounts.request({
    ...account,
    type: 'fixed',
    amount: '10000',
    expiryDuration: 24,
    approveAsync: true,
  });
  expect(requested).toMatchObject({ status: 'pending', virtualAccountNo: null, expiryDuration: '24' });
  expect(await virtualAccounts.item(requested.requestId)).toEqual(requested);
});
