import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { optionsFromFlags } from '../../sandbox/config/parse-flags.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { aSandbox, Caller } from './a-sandbox.ts';

const ada = { apiKey: 'key-a', accessKeyId: 'ada', secretAccessKey: 'secret-of-ada' };
const ben = { apiKey: 'key-b', accessKeyId: 'ben', secretAccessKey: 'secret-of-ben' };

/** The options from an accounts file. */
async function withAccounts(content: unknown): Promise<SandboxOptions> {
  const folder = await mkdtemp(join(tmpdir(), 'payrun-accounts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'accounts.json'), typeof content === 'string' ? content : JSON.stringify(content));
  return optionsFromFlags({ accounts: 'accounts.json' }, folder);
}

test('without an accounts file there is one default account', () => {
  expect(optionsFromFlags({}).accounts).toEqual([defaultAccount]);
});

test('the accounts of a file have their own keys, balances and limits', async () => {
  const { accounts } = await withAccounts([
    { ...ada, balances: { USD: '12.50' }, limitPerSecond: 2 },
    { ...ben, webhookUrl: null, webhookHeaders: { 'X-Hook-Secret': 'b' }, limitPerDay: 0 },
  ]);
  const { sandbox } = await aSandbox({ accounts, balances: { JPY: '900' }, monotonicNow: () => 0 });
  const [first, second] = [new Caller(sandbox, 'key-a'), new Caller(sandbox, 'key-b')];
  await first.signIn(ada.accessKeyId, ada.secretAccessKey);
  await second.signIn(ben.accessKeyId, ben.secretAccessKey);
  expect([sandbox.ledger('key-a').balances, sandbox.ledger('key-b').balances]).toEqual([
    { USD: '12.50' },
    { JPY: '900' },
  ]);
  const statuses = [await first.get('/balances/v1/find'), await first.get('/balances/v1/find')].map(
    ({ status }) => status,
  );
  expect(statuses).toEqual([200, 429]);
  expect((await second.get('/balances/v1/find')).status).toBe(200);
  expect((await new Caller(sandbox, defaultAccount.apiKey).get('/balances/v1/find')).status).toBe(403);
});

test.each([
  ['{', 'accounts.json: is not JSON'],
  [`[{"apiKey": "key-a", "secretAccessKey": "secret-of-ada" x}]`, 'accounts.json: is not JSON, at position 56'],
  [{}, 'accounts.json: must be a list of accounts'],
  [[], 'accounts.json: must not be empty'],
  [[ada, { ...ben, accessKeyId: undefined }], 'accounts.json: entry 2: accessKeyId: must be text'],
  [[{ ...ada, apiKey: '' }], 'entry 1: apiKey: must not be empty'],
  [[ada, { ...ben, apiKey: 'key-a' }], 'entry 2: apiKey: is used in entry 1 already'],
  [[{ ...ada, limit: 5 }], 'entry 1: Unrecognized key: "limit"'],
  [[{ ...ada, limitPerSecond: 1.5 }], 'entry 1: limitPerSecond: must be a whole number'],
  [[{ ...ada, limitPerDay: -1 }], 'entry 1: limitPerDay: must not be negative'],
  [[{ ...ada, webhookUrl: 'ftp://x' }], 'entry 1: webhookUrl: must be an http or https address, or null'],
  [[{ ...ada, webhookHeaders: { Host: 'x' } }], 'entry 1: webhookHeaders.Host: is set by the sandbox itself'],
  [[{ ...ada, balances: { USD: 5 } }], 'entry 1: balances.USD: must be text'],
  [[{ ...ada, balances: { XXX: '5' } }], 'entry 1: balances.XXX: "XXX" is not a supported currency'],
  [[{ ...ada, balances: { JPY: '5.5' } }], 'entry 1: balances.JPY: JPY has 0 decimal places'],
])(
  'the file of accounts %j is refused with a message that names the place, and no secret',
  async (content, message) => {
    const refused = await withAccounts(content).then(String, (error: unknown) => String(error));
    expect(refused).toContain('--accounts: ');
    expect(refused).toContain(message);
    expect(refused).not.toContain('secret-of');
  },
);

test('a missing accounts file is named in the error', () => {
  expect(() => optionsFromFlags({ accounts: 'none.json' }, '/nowhere')).toThrow(
    '--accounts: /nowhere/none.json: cannot be read (ENOENT)',
  );
});
