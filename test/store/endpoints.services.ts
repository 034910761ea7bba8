import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { decideChangeAs, listChanges, proposeChangeAs } from '../../store/approvals/changes.ts';
import {
  addEndpointAs,
  disableEndpointAs,
  enableEndpointAs,
  listEndpoints,
  removeEndpointAs,
  rotateEndpointSecretAs,
} from '../../store/notifications/endpoints.ts';
import { newEndpointSecret, readEndpointSecrets } from '../../store/notifications/endpoint-secrets.ts';
import { countByKey, rewrapAll } from '../../store/personal-data/key-rotation.ts';
import { aDataKey, TEST_DATA_KEYS } from '../helpers/test-data-keys.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { aUser, limitTo, type TestUser } from '../helpers/users.ts';
import { anEndpoint } from './an-endpoint.ts';
import { anApprovedRun } from './a-stored-run.ts';
import { refusedWith } from './runs-in-approval.ts';

let testDatabase: TestDatabase;
let ada: TestUser;
let ben: TestUser;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ada = await aUser(testDatabase, 'Ada', 'administrator');
  ben = await aUser(testDatabase, 'Ben', 'administrator');
  // From here on, what is sensitive takes two administrators.
  await anApprovedRun(testDatabase.database);
});
afterEach(() => testDatabase.drop());

async function stateOf(endpointId: string): Promise<string | undefined> {
  return (await listEndpoints(testDatabase.asServer, endpointId))[0]?.state;
}

async function auditKinds(): Promise<string[]> {
  const { rows } = await testDatabase.database.query<{ kind: string }>(
    `select kind from audit_entries where kind like 'endpoint%' or kind like 'change%' order by entry_id`,
  );
  return rows.map(({ kind }) => kind);
}

describe('an endpoint', () => {
  test('is enabled by another administrator than who added it, who sees where it leads without its secret path', async () => {
    const url = 'https://hooks.example.com/services/secret-path';
    const { endpointId, change } = await anEndpoint(testDatabase, ada, { url });
    expect(await stateOf(endpointId)).toBe('pending');
    const [pending] = await listChanges(testDatabase.asServer, { pendingOnly: true, limit: 10, accounts: null });
    expect(pending).toMatchObject({ kind: 'add_endpoint', detail: { target: 'https://hooks.example.com' } });
    expect(JSON.stringify(pending)).not.toContain('secret-path');
    await expect(decideChangeAs(testDatabase.asServer, ada.tokenHash, change.changeId, true)).rejects.toMatchObject(
      refusedWith('not_allowed'),
    );
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, change.changeId, true);
    expect(await stateOf(endpointId)).toBe('enabled');
    expect(await auditKinds()).toEqual(['endpoint_added', 'change_proposed', 'change_effective']);
  });

  test('that was rejected is never enabled', async () => {
    const { endpointId, change } = await anEndpoint(testDatabase, ada);
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, change.changeId, false);
    expect(await stateOf(endpointId)).toBe('rejected');
    for (const by of [ada, ben]) {
      await expect(enableEndpointAs(testDatabase.asServer, by.tokenHash, endpointId)).rejects.toMatchObject(
        refusedWith('conflict'),
      );
    }
  });

  test('that was removed is not enabled by a later confirmation', async () => {
    const { endpointId, change } = await anEndpoint(testDatabase, ada);
    await removeEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    await expect(decideChangeAs(testDatabase.asServer, ben.tokenHash, change.changeId, true)).rejects.toMatchObject(
      refusedWith('conflict'),
    );
    const { rows } = await testDatabase.database.query(
      'select state, url, (select count(*)::int from endpoint_secrets) as secrets from endpoints',
    );
    expect(rows).toEqual([{ state: 'disabled', url: null, secrets: 0 }]);
  });

  test('is not enabled by a change that only names it', async () => {
    const { endpointId, change } = await anEndpoint(testDatabase, ada);
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, change.changeId, false);
    const detail = { endpoint: endpointId, name: 'harmless', kind: 'mail', target: 'ada@example.com' };
    const kind = 'add_endpoint' as 'set_policy';
    const forged = await proposeChangeAs(testDatabase.asServer, ada.tokenHash, { kind, userId: null, detail });
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, forged.changeId, true);
    expect(await stateOf(endpointId)).toBe('rejected');
  });

  test('of a name that was removed may be added again', async () => {
    const add = (): Promise<unknown> =>
      addEndpointAs(testDatabase.asServer, ada.tokenHash, {
        ...{ endpointId: randomUUID(), name: 'ops', types: null, target: 'a@example.com' },
        to: { kind: 'mail', addresses: ['a@example.com'] },
      });
    await add();
    await expect(add()).rejects.toMatchObject(refusedWith('conflict'));
    const [first] = await listEndpoints(testDatabase.asServer);
    await removeEndpointAs(testDatabase.asServer, ben.tokenHash, first?.endpointId ?? '');
    await add();
    expect(await listEndpoints(testDatabase.asServer)).toHaveLength(1);
  });

  test('is disabled, enabled again and removed by two administrators, and each is recorded', async () => {
    const { endpointId, change } = await anEndpoint(testDatabase, ada);
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, change.changeId, true);
    const { change: disabling } = await disableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    expect(disabling).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await stateOf(endpointId)).toBe('enabled');
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, disabling?.changeId ?? '', true);
    expect(await stateOf(endpointId)).toBe('disabled');
    const { change: enabling } = await enableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    expect(enabling).toMatchObject({ state: 'pending', takesEffectAt: null });
    expect(await stateOf(endpointId)).toBe('disabled');
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, enabling?.changeId ?? '', true);
    expect(await stateOf(endpointId)).toBe('enabled');
    expect((await auditKinds()).slice(-3)).toEqual(['change_proposed', 'endpoint_enabled', 'change_effective']);
    const { change: removing } = await removeEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId);
    expect(await stateOf(endpointId)).toBe('enabled');
    await decideChangeAs(testDatabase.asServer, ben.tokenHash, removing?.changeId ?? '', true);
    expect(await listEndpoints(testDatabase.asServer)).toEqual([]);
  });

  test('is not managed by an administrator who is limited to accounts', async () => {
    const { endpointId } = await anEndpoint(testDatabase, ada);
    await limitTo(testDatabase.database, ada, 'default');
    await expect(disableEndpointAs(testDatabase.asServer, ada.tokenHash, endpointId)).rejects.toMatchObject(
      refusedWith('not_allowed'),
    );
  });
});

describe('a secret', () => {
  test('cannot be read back by the server', async () => {
    await anEndpoint(testDatabase, ada);
    await expect(testDatabase.asServer.query('select wrapped from endpoint_secrets')).rejects.toThrow(
      'permission denied',
    );
  });

  test('is neither in the database in clear nor in the audit trail', async () => {
    const { secret } = await anEndpoint(testDatabase, ada);
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    const { rows } = await testDatabase.database.query<{ wrapped: Buffer }>('select wrapped from endpoint_secrets');
    expect(rows[0]?.wrapped.includes(bytes)).toBe(false);
    const { rows: dump } = await testDatabase.database.query<{ text: string }>(
      `select coalesce(string_agg(detail::text, ' '), '') || (select string_agg(detail::text, ' ') from changes) as text from audit_entries`,
    );
    expect(dump[0]?.text).not.toContain(secret.slice(6, 20));
  });

  test('is rewrapped when the data key is rotated', async () => {
    const { endpointId, secret } = await anEndpoint(testDatabase, ada);
    const current = aDataKey('next');
    const keys = { current, all: [current, ...TEST_DATA_KEYS.all] };
    // Of the runs of this database too.
    expect(await rewrapAll(testDatabase.database, keys)).toMatchObject({ current: 3, rewrapped: 3, unreadable: [] });
    expect(await countByKey(testDatabase.database)).toMatchObject([{ wrappedBy: current.id, endpoints: 1 }]);
    const [read] = await readEndpointSecrets(testDatabase.asWorker, { current, all: [current] }, endpointId);
    expect(`whsec_${read?.toString('base64') ?? ''}`).toBe(secret);
  });

  test('of a mail does not exist', async () => {
    const endpointId = randomUUID();
    const to = { kind: 'mail', addresses: ['a@example.com'] } as const;
    await addEndpointAs(testDatabase.asServer, ada.tokenHash, {
      endpointId,
      name: 'm',
      types: null,
      to,
      target: 'a@example.com',
    });
    const rotated = rotateEndpointSecretAs(
      testDatabase.asServer,
      ada.tokenHash,
      endpointId,
      newEndpointSecret(TEST_DATA_KEYS),
    );
    await expect(rotated).rejects.toMatchObject(refusedWith('conflict'));
  });
});
