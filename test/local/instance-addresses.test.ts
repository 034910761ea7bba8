import { expect, test } from 'vitest';
import { readEnvironment } from '../../config/environment.ts';
import { publishedAddresses, reachableHost } from '../../local/stack/instance-addresses.ts';

const DATA = {
  serverDatabaseUrl: 'postgres://server@127.0.0.1/payrun',
  workerDatabaseUrl: 'postgres://worker@127.0.0.1/payrun',
  isDatabaseEmbedded: true,
  temporalAddress: 'temporal.invalid:7233',
  serverUrl: 'http://127.0.0.1:8700',
  sandboxUrl: undefined,
};
const TEMPORAL = { TEMPORAL_ADDRESS: 'temporal.invalid:7233', TEMPORAL_NAMESPACE: 'payrun' };

test('other processes find the addresses and the namespace', () => {
  const environment = readEnvironment({ ...TEMPORAL, PAYRUN_ALLOW_PLAINTEXT: 'temporal' });
  expect(publishedAddresses(environment, { ...DATA, isTemporalEmbedded: false })).toEqual({
    serverDatabaseUrl: DATA.serverDatabaseUrl,
    workerDatabaseUrl: DATA.workerDatabaseUrl,
    serverUrl: DATA.serverUrl,
    temporalAddress: 'temporal.invalid:7233',
    temporalNamespace: 'payrun',
  });
});

test('a Temporal with credentials is not published', () => {
  const environment = readEnvironment({ ...TEMPORAL, TEMPORAL_API_KEY: 'key' });
  const published = publishedAddresses(environment, { ...DATA, isTemporalEmbedded: false });
  expect(published.temporalAddress).toBeUndefined();
  expect(published.serverDatabaseUrl).toBe(DATA.serverDatabaseUrl);
});

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['::1', '[::1]'],
  ['10.0.0.1', '10.0.0.1'],
])('a server that listens on %s is reached at %s', (listensOn, host) => {
  expect(reachableHost(listensOn)).toBe(host);
});
