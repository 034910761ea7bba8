import { expect, test } from 'vitest';
import type { Json } from '../../sandbox/core/json.ts';
import { allCorridors, requirementsAnswer, requirementsOf } from '../../sandbox/corridors/requirements.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, asText, type Answer, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const signedIn = async (options: Partial<SandboxOptions>): Promise<Caller> => (await aSandbox(options)).signIn();

const aUser = async (caller: Caller): Promise<string> => {
  const signUp = { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', countryCode: 'SG' };
  const { body } = await caller.post('/v2/signup', { ...signUp, accountType: 'individual' });
  return `/v2/users/${asText(body['userId'])}`;
};

test("the status of a user's details is an object or a string", async () => {
  const answers = async (options: Partial<SandboxOptions>): Promise<Loose[]> => {
    const caller = await signedIn(options);
    const path = `${await aUser(caller)}/detail`;
    const changed = await caller.send('PATCH', path, { gender: 'female' });
    return [changed.body['status']!, (await caller.get(path)).body['status']!];
  };
  const [changed, read] = await answers({});
  expect(changed).toEqual(read);
  expect(read).toEqual({ value: 'incomplete', missing_fields: expect.arrayContaining(['mobileNumber']) as unknown });
  expect(await answers({ userDetailStatus: 'string' })).toEqual(['incomplete', 'incomplete']);
});

test.each([
  ['PUT', 'POST'],
  ['POST', 'PUT'],
] as const)('documents are uploaded by %s where it is set so, and not by %s', async (right, wrong) => {
  const caller = await signedIn({ documentUploadMethod: right });
  const path = `${await aUser(caller)}/documents`;
  const { uploadUrl, id } = (await caller.post(path, { documentType: 'passport', documentName: 'p.pdf' })).body;
  const upload = (method: string): Promise<Response> => fetch(asText(uploadUrl), { method, body: 'pages' });
  const refused = await upload(wrong);
  const { code } = (await refused.json()) as Record<string, unknown>;
  expect([refused.status, code]).toEqual([405, 'method_not_allowed']);
  expect((await upload(right)).status).toBe(200);
  const { downloadUrl } = (await caller.get(`${path}/${asText(id)}`)).body;
  expect(await (await fetch(asText(downloadUrl))).text()).toBe('pages');
});

test.each([
  ['both', 100.13, 'rejected', true],
  ['both', 100.14, 'failed', true],
  ['failed', 100.13, 'rejected', false],
  ['failed', 100.14, 'failed', true],
] as const)('failureReason %s: %d ends %s, its answers say why: %s, its event does', async (...given) => {
  const [failureReason, amount, status, says] = given;
  const { url, received } = await aReceiver();
  const caller = await signedIn({ failureReason, webhookUrl: url });
  const payment = await caller.aPayment({ amount });
  await caller.fund(payment);
  caller.sandbox.advance(60_000);
  const reason: unknown = expect.stringMatching(/^Beneficiary bank/);
  expect(await caller.read(payment)).toMatchObject({ status, failureReason: says ? reason : null });
  await eventually(() =>
    expect(received.map(({ body }) => body)).toContainEqual(expect.objectContaining({ status, reason })),
  );
});

/** The patterns of a requirement by field, including those of the bank account, without the entity type. */
function patternsOf(answer: Json): [string, string][] {
  const { bankAccount, ...root } = answer as unknown as Loose;
  return [...Object.entries(root), ...Object.entries(bankAccount!)]
    .filter(([field]) => field !== 'entityType')
    .map(([field, value]) => [field, asText(value)]);
}

test('requirements mean the same in both forms: without anchors the patterns are equal', () => {
  for (const corridor of allCorridors) {
    const needed = requirementsOf(corridor, corridor.bankCountry, 'company');
    const rewritten = patternsOf(requirementsAnswer(needed, 'pattern'));
    const anchored = rewritten.map(([field, source]) => [field, `^${source}$`]);
    expect(anchored).toEqual(patternsOf(requirementsAnswer(needed, 'literal')));
  }
});

test('requirements contain the entityType itself, or a pattern', async () => {
  const kinds = async (options: Partial<SandboxOptions>): Promise<unknown[]> => {
    const question = { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' };
    const { body } = await (await signedIn(options)).post('/beneficiaries/v1/requirements', question);
    return (body['data'] as unknown as Loose[]).map(({ entityType }) => entityType);
  };
  expect(await kinds({})).toEqual(['company', 'individual']);
  expect(await kinds({ requirementForm: 'pattern' })).toEqual(['^company$', '^individual$']);
});

test('partner of a caller that is not an ultimate partner is ignored, or refused', async () => {
  const quote = async (options: Partial<SandboxOptions>, partner: unknown): Promise<Answer> => {
    const caller = await signedIn(options);
    const order = { sellCurrency: 'USD', buyCurrency: 'EUR', amount: 100, partner };
    return caller.post('/simple-payments/v1/quote', { ...order, beneficiaryId: await caller.aBeneficiary() });
  };
  const refuse = { partnerFromOtherCallers: 'refuse' } as const;
  expect((await quote({}, { fee: 1 })).status).toBe(200);
  const refused = await quote(refuse, { fee: 1 });
  expect([refused.status, refused.body['message']]).toEqual([403, 'partner: is for ultimate partners only']);
  expect((await quote(refuse, null)).status).toBe(200);
  expect((await quote({ ...refuse, ultimatePartner: true }, { fee: 1 })).status).toBe(200);
});

test.each([429, 403, 503] as const)('too many requests are answered %d with Retry-After', async (limitStatus) => {
  const caller = await signedIn({ limitStatus, limitPerSecond: 1, monotonicNow: () => 0 });
  const { status, body, headers } = await caller.get('/balances/v1/find');
  expect([status, body['code'], headers.get('retry-after')]).toEqual([limitStatus, 'rate_limited', '1']);
});

test('the storage prefix determines the header of an upload', async () => {
  const caller = await signedIn({ storagePrefix: 'store' });
  const { uploadUrl } = (await caller.post('/simple-payments/v1/get-upload-url', { fileName: 'a.pdf' })).body['data']!;
  expect(asText(uploadUrl)).toContain('X-Store-UrlSignature=');
  const upload = (name: string): Promise<Response> =>
    fetch(asText(uploadUrl), { method: 'PUT', body: 'x', headers: { 'content-type': 'a/b', [name]: 'STANDARD' } });
  expect((await upload('x-sandbox-storage-class')).status).toBe(400);
  expect((await upload('x-store-storage-class')).status).toBe(200);
});

test('an open operation needs no token, and one that is no longer open needs one', async () => {
  const caller = await aSandbox({ openOperations: ['auth-authenticate', 'currency-pairs'] });
  expect((await caller.get('/currencies/v1/pairs')).status).toBe(200);
  expect((await caller.get('/users/v1/countries')).status).toBe(401);
});
