import { expect, test } from 'vitest';
import { faultKinds } from '../../sandbox/faults/fault-kinds.ts';
import { aSandbox, asText, type Caller } from './a-sandbox.ts';
import { aCompany, aCompleteUser, aSignUp, aUser, patchDetails, screen, statusOf } from './sample-users.ts';

/** The status of the answer with each kind of fault, 0 for a broken connection, and whether the request took effect. */
const withKind: Readonly<Record<string, readonly [number, boolean]>> = {
  error_before: [503, false],
  error_after: [502, true],
  error_html_before: [502, false],
  error_html_after: [504, true],
  rate_limited: [429, false],
  reset_before: [0, false],
  reset_after: [0, true],
  slow: [200, true],
  slow_after: [200, true],
  garbled_after: [200, true],
  cut_after: [0, true],
  not_json_after: [200, true],
  empty_after: [200, true],
  token_dies: [401, false],
};

interface Attempt {
  /** Sends the request, and returns the status of the answer. */
  readonly send: () => Promise<number>;
  readonly tookEffect: () => Promise<boolean>;
}

async function statusSent(caller: Caller, method: string, path: string, body?: unknown): Promise<number> {
  const response = await fetch(`${caller.sandbox.url}${path}`, {
    method,
    headers: {
      'x-api-key': caller.apiKey,
      authorization: caller.token,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => null);
  if (response === null) return 0;
  // A connection that ends in the middle of the answer has no complete body.
  return (await response.text().catch(() => null)) === null ? 0 : response.status;
}

/** One request to each operation of users, companies and documents that changes something. */
const attempts: Readonly<Record<string, (caller: Caller) => Promise<Attempt>>> = {
  'user-signup-v2': (caller) =>
    Promise.resolve({
      send: () => statusSent(caller, 'POST', '/v2/signup', aSignUp),
      tookEffect: () => Promise.resolve(caller.sandbox.ledger().users.pending_phone === 1),
    }),
  'user-detail-patch': async (caller) => {
    const path = `/v2/users/${await aUser(caller)}/detail`;
    return {
      send: () => statusSent(caller, 'PATCH', path, { city: 'Singapore' }),
      tookEffect: async () => asText((await caller.get(path)).body['city']) !== 'null',
    };
  },
  'company-patch': async (caller) => {
    const { accountId } = (await caller.get(`/v2/users/${await aUser(caller)}`)).body;
    const path = `/v2/company/${asText(accountId)}`;
    return {
      send: () => statusSent(caller, 'PATCH', path, aCompany),
      tookEffect: async () => asText((await caller.get(path)).body['city']) !== 'null',
    };
  },
  'document-create': async (caller) => {
    const path = `/v2/users/${await aUser(caller)}/documents`;
    return {
      send: () => statusSent(caller, 'POST', path, { documentType: 'passport', documentName: 'p.pdf' }),
      tookEffect: async () => ((await caller.get(path)).body['value'] as unknown as unknown[]).length === 1,
    };
  },
  'document-patch': async (caller) => {
    const documents = `/v2/users/${await aUser(caller)}/documents`;
    const created = await caller.post(documents, { documentType: 'passport', documentName: 'p.pdf' });
    const { id, uploadUrl } = created.body;
    return {
      send: () => statusSent(caller, 'PATCH', `${documents}/${asText(id)}`, {}),
      // A new address was issued: the old one is refused.
      tookEffect: async () => (await fetch(asText(uploadUrl), { method: 'PUT', body: 'x' })).status === 403,
    };
  },
  'document-delete': async (caller) => {
    const documents = `/v2/users/${await aUser(caller)}/documents`;
    const { id } = (await caller.post(documents, { documentType: 'passport', documentName: 'p.pdf' })).body;
    const path = `${documents}/${asText(id)}`;
    return {
      send: () => statusSent(caller, 'DELETE', path),
      tookEffect: async () => (await caller.get(path)).status === 404,
    };
  },
  'user-screen': async (caller) => {
    const userId = await aCompleteUser(caller);
    return {
      send: () => statusSent(caller, 'POST', `/v2/users/${userId}/screen`),
      tookEffect: async () => (await statusOf(caller, userId)) === 'pending_approval',
    };
  },
};

const kinds = faultKinds.filter(({ target }) => target === 'request').map(({ kind }) => kind);
const pairs = Object.keys(attempts).flatMap((operation) => kinds.map((kind) => [operation, kind] as const));

test.each(pairs)('%s can have the fault %s, or the fault is refused', async (operation, kind) => {
  const caller = await (await aSandbox()).signIn();
  const { send, tookEffect } = await attempts[operation]!(caller);
  const settings = kind.startsWith('slow') ? { delayMs: 5 } : {};
  const added = await caller.post('/__sandbox/faults', [{ operation, kind, ...settings }]);
  const expected = added.status === 200 ? withKind[kind] : undefined;
  if (!expected) {
    expect(added.text).toContain(`0.kind: ${kind} does not apply to ${operation}`);
    expect(await send()).toBe(200);
    return;
  }
  expect(await send()).toBe(expected[0]);
  if (kind === 'token_dies') await caller.signIn();
  expect(await tookEffect()).toBe(expected[1]);
});

test('every kind of lost answer applies to every operation that changes users or documents', async () => {
  const caller = await aSandbox();
  const lost = kinds.filter((kind) => kind.endsWith('_after') || kind === 'error_before' || kind === 'slow');
  expect(lost.length).toBeGreaterThan(8);
  for (const operation of Object.keys(attempts)) {
    const added = await caller.post(
      '/__sandbox/faults',
      lost.map((kind) => ({ operation, kind })),
    );
    expect([operation, added.status]).toEqual([operation, 200]);
  }
});

test('a lost answer to a second screening is a second screening', async () => {
  const caller = await (await aSandbox()).signIn();
  const userId = await aCompleteUser(caller);
  await screen(caller, userId);
  await caller.post('/__sandbox/screenings', { userId, outcome: 'documents_need_resubmission', remarks: 'Blurred' });
  await caller.post('/__sandbox/faults', [{ operation: 'user-screen', kind: 'error_after' }]);
  expect((await screen(caller, userId)).status).toBe(502);
  expect(await statusOf(caller, userId)).toBe('pending_approval');
  await patchDetails(caller, userId, { city: 'Singapore' });
  expect(await statusOf(caller, userId)).toBe('pending_approval');
});
