import { appendFileSync, copyFileSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';
import { aReceiver } from './a-receiver.ts';
import { aSandbox, asText, type Caller, type Loose } from './a-sandbox.ts';
import { eventually } from '../helpers/until.ts';

const aStateFile = (): string => join(temporaryFolder(), 'state.jsonl');
const linesIn = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Stops a sandbox and starts another on its file; returns a caller with the same token. */
async function again(caller: Caller, options: Partial<SandboxOptions>): Promise<Caller> {
  await caller.sandbox.close();
  const next = await aSandbox(options);
  next.token = caller.token;
  return next;
}

test('bytes of a document, a token, and numbers as they were written are restored', async () => {
  const stateFile = aStateFile();
  const before = await (await aSandbox({ stateFile })).signIn();
  const person = { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', accountType: 'individual' };
  const { userId } = (await before.post('/v2/signup', { ...person, countryCode: 'SG' })).body;
  const path = `/v2/users/${asText(userId)}/documents`;
  const { uploadUrl } = (await before.post(path, { documentType: 'passport', documentName: 'p.bin' })).body;
  const bytes = Uint8Array.from({ length: 300 }, (_, place) => place % 256);
  await fetch(asText(uploadUrl), { method: 'PUT', body: bytes, headers: { 'content-type': 'image/png' } });
  const order = '{"sellCurrency":"USD","buyCurrency":"EUR","beneficiaryId":null,"amount":99999999999.10}';
  const quoted = (await before.send('POST', '/simple-payments/v1/quote', order)).text;
  expect(quoted).toContain('"sellAmount":99999999999.10');
  expect(readFileSync(stateFile, 'utf8')).toContain('"amount":99999999999.10');
  const after = await again(before, { stateFile });
  const [listed] = (await after.get(path)).body['value'] as unknown as Loose[];
  const downloaded = await fetch(asText(listed!['downloadUrl']));
  expect(downloaded.headers.get('content-type')).toBe('image/png');
  expect(new Uint8Array(await downloaded.arrayBuffer())).toEqual(bytes);
});

test('reads, unauthorized requests and faults before an effect write no line', async () => {
  const stateFile = aStateFile();
  const caller = await (await aSandbox({ stateFile })).signIn();
  await caller.aBeneficiary();
  const lines = linesIn(stateFile);
  await caller.get('/balances/v1/find');
  for (const path of ['/beneficiaries/v1/find', '/simple-payments/v1/find', '/conversions/v1/find']) {
    await caller.post(path);
  }
  for (const kind of ['error_before', 'reset_before', 'rate_limited']) {
    await caller.post('/__sandbox/faults', [{ operation: 'simple-payment-quote', kind }]);
    const order = { beneficiaryId: null, sellCurrency: 'USD', buyCurrency: 'EUR', amount: 1 };
    await caller.post('/simple-payments/v1/quote', order).catch(() => undefined);
  }
  await caller.send('POST', '/beneficiaries/v1/create', {}, { authorization: 'no token' });
  expect(linesIn(stateFile)).toEqual(lines);
});

test('without a state file the state is lost', async () => {
  const before = await (await aSandbox()).signIn();
  await before.aBeneficiary();
  const after = await again(before, {});
  await after.signIn();
  expect((await after.post('/beneficiaries/v1/find')).body['data']).toEqual([]);
});

test('events that became due while the sandbox was stopped have run, each at its own time', async () => {
  const stateFile = aStateFile();
  let wallMs = Date.UTC(2026, 2, 2, 9);
  const options = {
    stateFile,
    frozenAtMs: null,
    wallNow: () => wallMs,
    completionMinMs: 4000,
    completionMaxMs: 4000,
  };
  const before = await (await aSandbox(options)).signIn();
  before.sandbox.advance(60_000);
  const payment = await before.aPayment();
  await before.fund(payment);
  wallMs += 3_600_000;
  const after = await again(before, options);
  expect(await after.read(payment)).toMatchObject({ status: 'completed', completedAt: '2026-03-02T09:01:04.000Z' });
  expect((await after.get('/__sandbox/health')).body['now']).toBe('2026-03-02T10:01:00.000Z');
  // The time of day may go back; the sandbox's clock does not go back before the last entry.
  wallMs -= 7_200_000;
  const later = await again(after, options);
  expect((await later.get('/__sandbox/health')).body['now']).toBe('2026-03-02T09:01:00.000Z');
});

test('only notifications that were not delivered are sent after the next start', async () => {
  const stateFile = aStateFile();
  const { url, received } = await aReceiver();
  const before = await (await aSandbox({ stateFile })).signIn();
  await before.post('/__sandbox/webhooks', { url });
  const first = await before.aPayment();
  await eventually(() => expect(linesIn(stateFile).at(-1)).toContain('"delivery-ended"'));
  await before.post('/__sandbox/webhooks', { url: 'http://127.0.0.1:9/nobody' });
  const second = await before.aPayment();
  await before.post('/__sandbox/webhooks', { url });
  const after = await again(before, { stateFile });
  await eventually(() => expect(received).toHaveLength(2));
  expect(received.map(({ body }) => body['resourceId'])).toEqual([first['simplePaymentId'], second['simplePaymentId']]);
  await eventually(() => expect(linesIn(stateFile).at(-1)).toContain('"delivery-ended"'));
  const { deliveries } = (await after.get('/__sandbox/webhooks')).body;
  expect(deliveries).toMatchObject([{ outcome: 'delivered' }, { outcome: 'delivered' }]);
});

test('a reset starts a new file, and old identifiers are not reused', async () => {
  const stateFile = aStateFile();
  const before = await (await aSandbox({ stateFile })).signIn();
  before.sandbox.advance(5000);
  const past = await before.aBeneficiary();
  await before.post('/__sandbox/reset');
  expect(linesIn(stateFile)).toHaveLength(1);
  const after = await again(before, { stateFile });
  await after.signIn();
  expect(await after.aBeneficiary()).not.toBe(past);
  expect((await after.get('/__sandbox/health')).body['now']).toBe('2026-03-02T09:00:05.000Z');
});

test('an incomplete last line is ignored and reported', async () => {
  const stateFile = aStateFile();
  const before = await (await aSandbox({ stateFile })).signIn();
  await before.aBeneficiary();
  const whole = readFileSync(stateFile, 'utf8');
  appendFileSync(stateFile, '{"at":1,"do":"benef');
  const said: string[] = [];
  const after = await again(before, { stateFile, report: (line) => said.push(line) });
  expect(said.join()).toContain(`${stateFile}: the last line is incomplete`);
  expect(readFileSync(stateFile, 'utf8')).toBe(whole);
  await after.aBeneficiary();
  const latest = await again(after, { stateFile });
  expect((await latest.post('/beneficiaries/v1/find')).body['data']).toHaveLength(2);
});

const startOn = (stateFile: string, options: Partial<SandboxOptions> = {}): Promise<unknown> =>
  startSandbox({ answers: 'plain', limitPerSecond: 0, frozenAtMs: Date.UTC(2026, 2, 2, 9), stateFile, ...options });

test.each([
  ['is not JSON', (lines: string[]) => lines.splice(1, 1, '{"at":1,'), /line 2 is damaged/],
  ['is not an entry', (lines: string[]) => lines.splice(2, 1, '{}'), /line 3 is damaged/],
  ['names no call', (lines: string[]) => lines.splice(1, 1, lines[1]!.replace('auth-', 'other-')), /line 2 cannot be/],
  [
    'cannot be read',
    (lines: string[]) => lines.splice(2, 1, lines[2]!.replace('"country"', '"x"')),
    /line 3 cannot be/,
  ],
  ['is of another format', (lines: string[]) => lines.splice(0, 1, '{"format":99}'), /not written by this version/],
])('a line in the middle that %s is an error that names it, and the file stays', async (_kind, damage, message) => {
  const stateFile = aStateFile();
  const caller = await (await aSandbox({ stateFile })).signIn();
  await caller.aBeneficiary();
  await caller.aBeneficiary();
  await caller.sandbox.close();
  const lines = linesIn(stateFile);
  damage(lines);
  const damaged = `${lines.join('\n')}\n`;
  writeFileSync(stateFile, damaged);
  await expect(startOn(stateFile)).rejects.toThrow(message);
  await expect(startOn(stateFile)).rejects.toThrow(stateFile);
  expect(readFileSync(stateFile, 'utf8')).toBe(damaged);
});

test.each([
  [{ seed: 2 }, 'was created with seed 1, not 2'],
  [{ quoteTtlMs: 5 }, 'was created with quoteTtlMs 600000, not 5'],
  [{ accounts: [{ ...defaultAccount, secretAccessKey: 'hidden' }] }, 'was created with another accounts'],
])('a start with %j is refused, as the state was created with other options', async (options, message) => {
  const stateFile = aStateFile();
  await (await aSandbox({ stateFile })).sandbox.close();
  await expect(startOn(stateFile, options)).rejects.toThrow(message);
  await expect(startOn(stateFile, options)).rejects.not.toThrow('hidden');
});

test('what the seed chose stays so, whatever a later version chooses; a file that has no value has the plain one', async () => {
  const stateFile = aStateFile();
  await (await aSandbox({ stateFile, answers: 'seeded' })).sandbox.close();
  const [header = '', ...entries] = linesIn(stateFile);
  const recorded = JSON.parse(header) as { options: Record<string, unknown> };
  expect(recorded.options['initialUserStatus']).not.toBe('seeded');
  // Serialized, an undefined value is a missing one.
  const options = { ...recorded.options, screeningAnswer: undefined, initialUserStatus: 'inactive' };
  writeFileSync(stateFile, `${[JSON.stringify({ ...recorded, options }), ...entries].join('\n')}\n`);
  const caller = await (await aSandbox({ stateFile, answers: 'seeded' })).signIn();
  await caller.post('/v2/signup', { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', ...inSingapore });
  expect(caller.sandbox.ledger().users).toEqual({ inactive: 1 });
  await caller.sandbox.close();
  const set = { answers: 'seeded', initialUserStatus: 'pending' } as const;
  await expect(startOn(stateFile, set)).rejects.toThrow('was created with initialUserStatus "inactive", not "pending"');
  await (await aSandbox({ stateFile, answers: 'seeded', screeningAnswer: 'new' })).sandbox.close();
});

test('a file of an earlier state has other names of values', async () => {
  const stateFile = aStateFile();
  await (await aSandbox({ stateFile, answers: 'seeded' })).sandbox.close();
  const [header = '', ...entries] = linesIn(stateFile);
  const recorded = JSON.parse(header) as { options: Record<string, unknown> };
  const options = { ...recorded.options, answers: 'drawn', userDateFormat: 'B' };
  writeFileSync(stateFile, `${[JSON.stringify({ ...recorded, options }), ...entries].join('\n')}\n`);
  await expect(startOn(stateFile, { answers: 'plain' })).rejects.toThrow('answers "seeded", not "plain"');
  await (await aSandbox({ stateFile, answers: 'seeded' })).sandbox.close();
});

const inSingapore = { countryCode: 'SG', accountType: 'individual' };

test('limits, ports and the order of balances may differ between starts', async () => {
  const stateFile = aStateFile();
  const before = await aSandbox({ stateFile, balances: { USD: '1.00', EUR: '2.00' } });
  const options = { stateFile, limitPerSecond: 7, publicUrl: 'http://x', balances: { EUR: '2.00', USD: '1.00' } };
  expect((await again(before, options)).sandbox.ledger().balances).toEqual({ EUR: '2.00', USD: '1.00' });
});

test('a file in use is refused under every name, and can be used again once its sandbox is closed', async () => {
  const stateFile = aStateFile();
  const caller = await aSandbox({ stateFile });
  symlinkSync(stateFile, `${stateFile}.link`);
  for (const name of [stateFile, `${stateFile}.link`]) {
    await expect(startOn(name)).rejects.toThrow(`a sandbox uses it already (process ${process.pid})`);
  }
  await again(caller, { stateFile: `${stateFile}.link` });
});

test('the lock of a process that has ended is taken over', async () => {
  const stateFile = aStateFile();
  writeFileSync(`${stateFile}.lock`, '1 another-boot/1');
  await aSandbox({ stateFile });
});

test('a file in a folder that does not exist is refused', async () => {
  await expect(startOn('/nowhere/state.jsonl')).rejects.toThrow('/nowhere/state.jsonl: cannot be opened (ENOENT)');
});

test('a file that is not a state file is refused and not changed', async () => {
  const file = aStateFile();
  copyFileSync(import.meta.filename, file);
  await expect(startOn(file)).rejects.toThrow('line 1 is damaged');
  expect(readFileSync(file)).toEqual(readFileSync(import.meta.filename));
});

test('the state file, which contains secrets, can be read by its owner only', async () => {
  const stateFile = aStateFile();
  const caller = await aSandbox({ stateFile });
  await caller.post('/__sandbox/reset');
  expect(statSync(stateFile).mode & 0o777).toBe(0o600);
});
