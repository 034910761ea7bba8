import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '@temporalio/client';
import type { Endpoint } from '../../api/endpoint.ts';
import { ENDPOINTS } from '../../api/endpoints.ts';
import { mayAny, PERSONAL_READS, type PersonalRead, ROLES, rolesThatMay } from '../../domain/users/role.ts';
import { PARAMETERS_OF_ACCOUNTS } from '../../server/users/account-limits.ts';
import type { ApplicationSettings } from '../../application/application-dependencies.ts';
import { TEST_CALENDARS } from '../helpers/test-calendars.ts';
import { SWEEP } from '../domain/treasury-schedules.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import type { TestUser } from '../helpers/users.ts';
import { ACCOUNT } from '../store/a-stored-run.ts';
import { FIRST_DAY } from '../store/an-account-with-books.ts';
import { contentOfTables } from '../store/asked-actions.ts';
import { OTHER } from '../store/limited-users.ts';
import { aConsoleServer } from './console-browser.ts';
import { type DataOfAnAccount, dataOfAnAccount } from './data-of-an-account.ts';

/** Every endpoint, as it says that it is limited to accounts: called by users of the account and of another one, on the real record. */

let testDatabase: TestDatabase;
let app: FastifyInstance;
let data: DataOfAnAccount;

/** All that is looked at is in the database. */
const UNREACHABLE: Client = new Proxy(() => undefined, {
  get: (_target, name) => (name === 'then' ? undefined : name === 'getHandle' ? () => UNREACHABLE : UNREACHABLE),
  apply: () => Promise.reject(new Error('there is no Temporal')),
}) as unknown as Client;
const LIMITS = { requestsPerSecond: 1, requestsPerDay: 1_000, requestsReservedPerDay: 100 };

beforeAll(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
  data = await dataOfAnAccount(testDatabase);
  app = aConsoleServer(testDatabase, {
    temporal: UNREACHABLE,
    accounts: [ACCOUNT, OTHER].map((name) => ({ name, ...LIMITS })),
    settings: {
      decisionWithinMs: 86_400_000,
      referenceMaxAgeMs: 86_400_000,
      concurrencyLimitOf: () => 10,
    } as unknown as ApplicationSettings,
    calendars: TEST_CALENDARS,
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await testDatabase.drop();
});

const MISSING = '018f2a00-0000-7000-8000-00000000dead';
const DAYS = { from: '2026-01-01', to: '2026-12-31' };
const RULES = [{ name: 'any', when: {}, steps: [{ role: 'checker' }] }];
const RUN = { currency: 'USD', total: '100.00' };

/** What an endpoint needs beside the account, which is added to its query or body where the endpoint takes one. */
const GIVEN: Readonly<Record<string, () => object>> = {
  explainPolicy: () => RUN,
  checkPolicy: () => ({
    policy: { rules: RULES, changes: { delayHours: 72 } },
    ...{ run: { account: ACCOUNT, ...RUN }, runId: data.ids['runId'] },
  }),
  readCosts: () => ({ from: DAYS.from, to: new Date().toISOString().slice(0, 10) }),
  listDraftRows: () => ({ only: 'all' }),
  listReceipts: () => ({ all: 'true' }),
  listActions: () => ({ of: `run:${data.ids['runId']}` }),
  search: () => ({ q: 'row-1' }),
  addBeneficiaries: () => ({ source: 'import' }),
  confirmBeneficiaries: () => ({ accounts: [{ id: MISSING, hash: 'x' }], called: null, note: 'x' }),
  endBeneficiaries: () => ({ ids: [MISSING] }),
  stream: () => ({ topics: `run:${data.ids['runId']}` }),
  getReconciliationFile: () => ({ from: FIRST_DAY }),
  assignReceipt: () => ({ currency: 'USD', entryId: 'came-in', reason: 'interest' }),
  requestVirtualAccount: () => ({
    ...{ name: 'Sales', provider: 'code 1', currency: 'USD', description: 'customers', type: 'open' },
  }),
  stopPayments: () => ({ scope: 'account' }),
  signBookDay: () => ({ day: FIRST_DAY, contentHash: 'x' }),
  signOpening: () => ({ currency: 'USD', amount: '1.00' }),
  getCorridorTemplate: () => ({ to: 'EUR', country: 'DE' }),
  placeOrder: () => ORDER,
  dryRunOrder: () => ORDER,
  changeDraft: () => ({ revision: 1 }),
  addDraftFile: () => ({ revision: 1 }),
  submitDraft: () => ({ revision: 1 }),
  addSchedule: () => ({ schedule: { ...SWEEP, name: 'Another' } }),
};
const ORDER = { sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell', amount: '10.00' };
const PARAMETERS: Readonly<Record<string, string>> = {
  ...{ rowRef: 'row-1', line: '2', name: 'invoice.pdf', slot: 'passport', file: 'report.html', role: 'viewer' },
  account: ACCOUNT,
};

interface Answered {
  status: number;
  text: string;
}

/** Streams have no end: of them the first event counts. */
async function call(
  { method, path, takes }: Endpoint,
  user: TestUser,
  given: object,
  ids: Readonly<Record<string, string>> = data.ids,
): Promise<Answered> {
  const url = path.replaceAll(/:(\w+)/g, (_all, name: string) =>
    name === 'draftId' ? (data.drafts.get(user) ?? MISSING) : (ids[name] ?? PARAMETERS[name] ?? MISSING),
  );
  const query = takes === 'query' ? `?${new URLSearchParams(given as Record<string, string>).toString()}` : '';
  const headers: Record<string, string> = {
    authorization: `Bearer ${user.token}`,
    'idempotency-key': `${user.userId}-key-of-it`,
  };
  let body: string | FormData | undefined;
  if (takes === 'body') {
    headers['content-type'] = 'application/json';
    body = JSON.stringify(given);
  } else if (takes === 'form') {
    body = new FormData();
    for (const [name, value] of Object.entries(given)) body.append(name, String(value));
    body.append('file', new Blob(['row_ref\nA-1\n']), 'a.csv');
  }
  const { port } = app.server.address() as AddressInfo;
  const aborted = new AbortController();
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${url}${query}`, {
    ...{ method, headers, signal: aborted.signal, redirect: 'manual' as const },
    ...(body === undefined ? {} : { body }),
  });
  if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
    return { status: response.status, text: await response.text() };
  }
  const pieces = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('data:')) text += (await pieces?.read())?.value ?? '';
  aborted.abort();
  return { status: response.status, text };
}

const EACH = Object.values<Endpoint>(ENDPOINTS);
const limitedBy = (...limits: readonly Endpoint['limitedBy'][]) =>
  EACH.filter((endpoint) => limits.includes(endpoint.limitedBy)).map(
    (endpoint) => [endpoint.operationId, endpoint] as const,
  );

/** Of those who are limited alike, the one whose roles may call it. */
function callerOf({ access }: Endpoint, people: DataOfAnAccount['ofAccount']): TestUser {
  const roles = access === 'anyone' || access === 'signed_in' ? ROLES : rolesThatMay(access);
  return roles.some((role) => role !== 'administrator') ? people.people : people.administrator;
}

const givenTo = ({ operationId }: Endpoint): object => GIVEN[operationId]?.() ?? {};
const messageOf = ({ text }: Answered): string =>
  (JSON.parse(text) as { error?: { message: string } }).error?.message ?? 'no error';

/** What an answer lists, but of the other account, whose configuration is there as well. */
function listed({ text }: Answered): unknown[] {
  // Of a CSV the lines below its headers.
  if (!text.startsWith('{')) return text.trim().split('\r\n').slice(1);
  const lists = Object.values(JSON.parse(text) as object).map((value: unknown): unknown[] =>
    Array.isArray(value) ? (value as unknown[]) : typeof value === 'object' && value !== null ? Object.keys(value) : [],
  );
  return lists.flat().filter((item) => (item as { account?: string }).account !== OTHER);
}

describe('every GET', () => {
  const gets = EACH.filter(({ method }) => method === 'GET').map(
    (endpoint) => [endpoint.operationId, endpoint] as const,
  );

  test.each(gets)('%s changes nothing', async (_id, endpoint) => {
    const user = callerOf(endpoint, data.unlimited);
    const account = endpoint.limitedBy === 'account' ? { account: ACCOUNT } : {};
    const given = { ...account, ...givenTo(endpoint) };
    // The use of a token is noted once a minute: this one has just been.
    await testDatabase.database.query('update api_tokens set last_used_at = clock_timestamp()');
    const before = await contentOfTables(testDatabase);
    const lastEntry = await lastAuditEntry();
    const { status } = await call(endpoint, user, given);
    // That personal data was read is noted, and nothing else.
    const noted = readsBy(user, endpoint).filter(() => status === 200);
    expect(await auditKindsAfter(lastEntry)).toEqual(noted.map(() => 'personal_data_read'));
    const unchanged = {
      ...(noted.length === 0 ? {} : { audit_entries: before['audit_entries'] }),
      // Reports of a day are counted.
      ...(endpoint.isReport === true ? { daily_uses: before['daily_uses'] } : {}),
    };
    expect({ ...(await contentOfTables(testDatabase)), ...unchanged }).toEqual(before);
    expect([200, 302, 404, 503]).toContain(status);
  });

  /** Of a beneficiary, a payment, a virtual account, a draft and an applicant. */
  const PERSONAL = ['a-beneficiary', 'Invoice of May', '8800123456789012', 'Drafted Ltd', 'Anna'];

  test.each(gets)('%s shows personal data only if it says so', async (_id, endpoint) => {
    const account = endpoint.limitedBy === 'account' ? { account: ACCOUNT } : {};
    const user = callerOf(endpoint, data.ofAccount);
    const { text } = await call(endpoint, user, { ...account, ...givenTo(endpoint) });
    const shown = PERSONAL.filter((value) => text.includes(value));
    if (readsBy(user, endpoint).length === 0) expect(shown).toEqual([]);
  });
});

function readsBy({ roles }: TestUser, { access, reads = [] }: Endpoint): PersonalRead[] {
  return PERSONAL_READS.filter((one) => (one === access || reads.includes(one)) && mayAny(roles, one));
}

async function lastAuditEntry(): Promise<number> {
  const { rows } = await testDatabase.database.query<{ last: number }>(
    'select coalesce(max(entry_id), 0)::int as last from audit_entries',
  );
  return rows[0]?.last ?? 0;
}

async function auditKindsAfter(entryId: number): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    'select kind from audit_entries where entry_id > $1 order by entry_id',
    [entryId],
  );
  return rows.map(({ kind }) => kind);
}

describe('users of the account read what is there', () => {
  const gets = limitedBy(...PARAMETERS_OF_ACCOUNTS, 'account', 'user').filter(([, { method }]) => method === 'GET');
  /** The case has no document, and only Temporal knows whether a reconciliation is under way. */
  const OTHERWISE: Readonly<Record<string, number>> = { getCaseDocument: 404, getReconciliation: 503 };

  test.each(gets)('%s', async (id, endpoint) => {
    const account = endpoint.limitedBy === 'account' ? { account: ACCOUNT } : {};
    const own = await call(endpoint, callerOf(endpoint, data.ofAccount), { ...account, ...givenTo(endpoint) });
    expect([own.status, own.text]).toEqual([OTHERWISE[id] ?? 200, own.text]);
    const isList = endpoint.limitedBy === 'account' || endpoint.limitedBy === 'user';
    if (isList && own.status === 200 && own.text.startsWith('{')) expect(listed(own)).not.toEqual([]);
    if (endpoint.limitedBy === 'account') {
      const others = await call(endpoint, callerOf(endpoint, data.ofOther), givenTo(endpoint));
      // A file is what the provider of their own account requires.
      const isOfProvider = id === 'getCorridorTemplate';
      if (others.status === 200) expect(isOfProvider ? [] : listed(others)).toEqual([]);
      // It needs an account.
      else expect(others.status).toBe(400);
    }
  });
});

describe('what has something of accounts is limited by its use case', () => {
  test.each(limitedBy('user'))('%s', async (_id, endpoint) => {
    const other = await call(endpoint, callerOf(endpoint, data.ofOther), givenTo(endpoint));
    const own = await call(endpoint, callerOf(endpoint, data.ofAccount), givenTo(endpoint));
    expect([own.status, own.text]).not.toEqual([other.status, other.text]);
    if (endpoint.operationId === 'stream') expect(other.text).toContain('event: gone');
    else if (other.status === 200) expect(listed(other)).toEqual([]);
    else expect([403, 404]).toContain(other.status);
  });
});

describe('what an address names of another account is not there', () => {
  test.each(limitedBy(...PARAMETERS_OF_ACCOUNTS))('%s', async (_id, endpoint) => {
    const other = await call(endpoint, callerOf(endpoint, data.ofOther), givenTo(endpoint));
    expect(other.status).toBe(404);
    // The same is said of one that does not exist.
    const parameter = endpoint.limitedBy;
    const missing = parameter === 'webhookId' ? '999999' : MISSING;
    const nothing = await call(endpoint, callerOf(endpoint, data.ofOther), givenTo(endpoint), {
      ...data.ids,
      [parameter]: missing,
    });
    expect(messageOf(other).replaceAll(data.ids[parameter] ?? '', missing)).toBe(messageOf(nothing));
    const own = await call(endpoint, callerOf(endpoint, data.ofAccount), givenTo(endpoint));
    expect(own.text).not.toBe(other.text);
    expect([200, 204, 400, 403, 404, 409, 415]).toContain(own.status);
  });
});

describe('an account that is given is one that the user may use', () => {
  test.each(limitedBy('account'))('%s', async (id, endpoint) => {
    const given = { account: ACCOUNT, ...givenTo(endpoint) };
    const other = await call(endpoint, callerOf(endpoint, data.ofOther), given);
    expect([id, other.status, messageOf(other)]).toEqual([id, 403, expect.stringContaining(ACCOUNT)]);
    const own = await call(endpoint, callerOf(endpoint, data.ofAccount), given);
    expect([own.status, own.text]).not.toEqual([403, own.text]);
  });
});

describe('what is about all accounts is refused to users who are limited', () => {
  test.each(limitedBy('all_accounts'))('%s', async (_id, endpoint) => {
    for (const people of [data.ofOther, data.ofAccount]) {
      const refused = await call(endpoint, callerOf(endpoint, people), givenTo(endpoint));
      expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('all accounts')]);
    }
    const { status } = await call(endpoint, callerOf(endpoint, data.unlimited), givenTo(endpoint));
    expect(endpoint.method === 'GET' ? [200, 404] : [200, 204, 400, 404, 409, 415]).toContain(status);
  });
});
