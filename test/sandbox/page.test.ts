import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import Big from 'big.js';
import { expect, test } from 'vitest';
import { operationIds } from '../../sandbox/endpoints/operations.ts';
import { overview, withoutSecrets } from '../../sandbox/control/overview.ts';
import { faultKinds } from '../../sandbox/faults/fault-kinds.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { World } from '../../sandbox/world.ts';
import { type Answer, aSandbox, type Caller, type Loose } from './a-sandbox.ts';

const folder = new URL('../../sandbox/page/', import.meta.url);

/** Requests the page without credentials. */
const visit = async (caller: Caller, path: string): Promise<Response> =>
  fetch(`${caller.sandbox.url}${path}`, { redirect: 'manual' });

test('the page may load only what the sandbox itself serves, and cannot be framed', async () => {
  const caller = await aSandbox();
  expect((await visit(caller, '/__sandbox')).headers.get('location')).toBe('/__sandbox/');
  const page = await visit(caller, '/__sandbox/');
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self';");
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|https?:\/\//);
  expect(caller.sandbox.ledger().requests.total).toBe(0);
});

test('every file that the page and its modules use is served with its content type', async () => {
  const caller = await aSandbox();
  const types = { html: 'text/html', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml' };
  const referred = new Set<string>();
  for (const name of readdirSync(folder)) {
    const served = await visit(caller, `/__sandbox/page/${name}`);
    const ending = name.split('.').at(-1) as keyof typeof types;
    expect([name, served.status, served.headers.get('content-type')?.split(';')[0]]).toEqual([
      name,
      200,
      types[ending],
    ]);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    for (const [, other] of (await served.text()).matchAll(/(?:"page|from '\.)\/([\w.-]+)['"]/g)) referred.add(other!);
  }
  expect(referred.size).toBeGreaterThan(5);
  for (const name of referred)
    expect([name, (await visit(caller, `/__sandbox/page/${name}`)).status]).toEqual([name, 200]);
});

test('every element that the scripts use is on the page', async () => {
  const caller = await aSandbox();
  const html = await (await visit(caller, '/__sandbox/')).text();
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.js'))) {
    const script = await (await visit(caller, `/__sandbox/page/${name}`)).text();
    expect(script, name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
    for (const [, id] of script.matchAll(/byId\('([\w-]+)'\)/g)) expect(html, name).toContain(`id="${id!}"`);
  }
});

test.each(['../server.ts', '..%2fserver.ts', '%2e%2e%2f%2e%2e%2fpackage.json', '..%5cserver.ts', 'none.js', ''])(
  'no name reads a file outside the page: %s',
  async (name) => {
    const caller = await aSandbox();
    // fetch would normalize the path before it is sent.
    const status = await new Promise((resolve, reject) => {
      const { hostname, port } = new URL(caller.sandbox.url);
      const call = request({ hostname, port, path: `/__sandbox/page/${name}` }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      call.on('error', reject).end();
    });
    expect(status).toBe(404);
  },
);

test('the choices are those of the sandbox, and accounts are named by the end of their key', async () => {
  const second = { apiKey: 'a-second-key-9876', accessKeyId: 'id', secretAccessKey: 'hidden-secret' };
  const caller = await aSandbox({ accounts: [defaultAccount, second] });
  const { body, text } = await caller.get('/__sandbox/choices');
  expect(body['operations']).toEqual([...operationIds].sort());
  expect(body['kinds']).toEqual(JSON.parse(JSON.stringify(faultKinds)));
  expect(body['paymentStatuses']).toContain('awaiting_funds');
  expect(body['currencies']).toContainEqual({ code: 'JPY', decimalPlaces: 0 });
  expect((body['accounts'] as unknown as Loose[]).map(({ name }) => name)).toEqual(['1 (key …-key)', '2 (key …9876)']);
  expect(text).not.toContain(second.secretAccessKey);
});

test('the overview shows the latest first, without names, account numbers and tokens', async () => {
  const caller = await (await aSandbox({ webhookUrl: 'http://127.0.0.1:9/hooks/a-token-of-the-receiver' })).signIn();
  for (const referenceId of ['older', 'newer']) await caller.fund(await caller.aPayment({}, { referenceId }));
  const { body, text } = await caller.get('/__sandbox/overview');
  expect((body['payments'] as unknown as Loose[]).map(({ referenceId }) => referenceId)).toEqual(['newer', 'older']);
  expect(body['ledger']).toEqual(JSON.parse(JSON.stringify(caller.sandbox.ledger())));
  const change = { type: 'payment', change: '-101.75', amountAfter: '4999796.50', currency: 'USD' };
  expect((body['changes'] as unknown as Loose[])[0]).toMatchObject(change);
  expect((body['requests'] as unknown as Loose[])[0]).toMatchObject({ operation: 'simple-payment-fund', status: 200 });
  const [delivery] = body['webhooks']!['deliveries'] as unknown as Loose[];
  expect(delivery).toMatchObject({ about: 'simple_payment', status: 'processing' });
  for (const secret of ['Schmidt', 'DE8937', caller.token, 'a-token-of-the-receiver'])
    expect(text).not.toContain(secret);
});

test('an address is shown without parts that may be secret', () => {
  const address = 'https://user:pass@example.com/webhooks/0123456789abcdef0123?token=secret';
  expect(withoutSecrets(address)).toBe('https://example.com/webhooks/…0123');
});

test('the sandbox accepts every fault that has a button', async () => {
  const caller = await aSandbox();
  const module = (await import(new URL('fault-presets.js', folder).href)) as {
    presets: { label: string; spec: { operation: string; kind: string } }[];
  };
  const known = module.presets.filter(({ spec }) => faultKinds.some(({ kind }) => kind === spec.kind));
  expect(known.length).toBeGreaterThan(5);
  for (const { label, spec } of known) {
    expect([label, (await caller.post('/__sandbox/faults', [spec])).status]).toEqual([label, 200]);
  }
});

test.each([
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 'advanceMs=1000', 400],
  ['a form of plain text', { 'content-type': 'text/plain' }, '{"advanceMs":1000}', 400],
  ['a page of another origin', { 'content-type': 'application/json', origin: 'http://evil.example' }, '{}', 403],
  ['a page without an origin', { 'content-type': 'application/json', origin: 'null' }, '{}', 403],
])('%s cannot reset the sandbox or move its clock', async (_name, headers, text, status) => {
  const caller = await (await aSandbox()).signIn();
  for (const path of ['reset', 'clock']) {
    expect((await caller.send('POST', `/__sandbox/${path}`, text, headers)).status).toBe(status);
  }
  expect((await caller.get('/__sandbox/health')).body['now']).toBe('2026-03-02T09:00:00.000Z');
  expect((await caller.get('/balances/v1/find')).status, 'the token is still valid').toBe(200);
});

test('the page itself, which sends its own origin, is accepted', async () => {
  const caller = await aSandbox();
  const headers = { origin: caller.sandbox.url };
  expect((await caller.send('POST', '/__sandbox/clock', { advanceMs: 1 }, headers)).status).toBe(200);
});

/** Sends a request as a browser does after DNS rebinding: to this machine, with a foreign host name. */
async function statusForHost(
  host: string,
  options: Partial<SandboxOptions> = {},
): Promise<Answer['status'] | undefined> {
  const caller = await aSandbox(options);
  const { port } = new URL(caller.sandbox.url);
  return new Promise((resolve, reject) => {
    const call = request({ port, path: '/__sandbox/ledger', headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    call.on('error', reject).end();
  });
}

test('a sandbox on loopback answers control calls only for loopback host names and its public name', async () => {
  expect(await statusForHost('evil.example:80')).toBe(403);
  expect(await statusForHost('127.0.0.1.evil.example')).toBe(403);
  for (const host of ['localhost:1', '127.0.0.1', '127.8.8.8:1', '[::1]:1'])
    expect([host, await statusForHost(host)]).toEqual([host, 200]);
  const publicUrl = 'https://sandbox.example/there';
  expect(await statusForHost('sandbox.example', { publicUrl })).toBe(200);
  expect(
    await statusForHost('anything.example', { host: '0.0.0.0' }),
    'a sandbox on another address accepts any host name',
  ).toBe(200);
});

test('the overview does not check a very long history, which the ledger call does', () => {
  const account = new World(defaultOptions).firstAccount();
  const balance = account.ledger.in('USD')!;
  const credit = (): void => account.ledger.write(balance, new Big(1), 'adjustment', null, 0);
  for (let entry = 0; entry < 20_000; entry++) credit();
  expect(overview(account, 0)).toMatchObject({ ledger: { invariantHolds: true } });
  credit();
  expect(overview(account, 0)).toMatchObject({ ledger: { invariantHolds: null, balances: { USD: '5020001.00' } } });
});
