import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type InstanceAddresses, removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { requireWholeProvider } from '../../config/account-settings.ts';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { readEnvironment, readServerEnvironment, type Variables } from '../../config/environment.ts';
import { readServerInstallation, readWorkerInstallation } from '../../config/installation.ts';
import { readTemporalSettings } from '../../config/temporal/temporal-settings.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const SERVICES = {
  DATABASE_URL: 'postgres://db.invalid/payrun?sslmode=verify-full',
  TEMPORAL_ADDRESS: 'temporal.invalid:7233',
  TEMPORAL_TLS: 'true',
};
const PROVIDER = {
  PAYRUN_API_URL: 'https://provider.invalid',
  PAYRUN_API_KEY: 'key',
  PAYRUN_ACCESS_KEY_ID: 'id',
  PAYRUN_SECRET_ACCESS_KEY: 'secret',
};
const VARIANT = {
  PAYRUN_PROVIDER_DATE_FORMAT: 'YYYY-MM-DD',
  PAYRUN_PROVIDER_UPLOAD_METHOD: 'POST',
  PAYRUN_PROVIDER_UPLOAD_HEADERS: '{"X-Abc":"STANDARD"}',
  PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: 'abc',
  PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: '/requests/:requestId',
};
const UP: InstanceAddresses = {
  workerDatabaseUrl: 'postgres://worker:w@127.0.0.1:20001/payrun',
  serverDatabaseUrl: 'postgres://server:s@127.0.0.1:20001/payrun',
  temporalAddress: '127.0.0.1:20002',
  temporalNamespace: 'embedded',
  temporalUiUrl: 'http://127.0.0.1:20003',
  serverUrl: 'http://127.0.0.1:8700',
  sandboxUrl: 'http://127.0.0.1:20004',
};

/** A working directory in whose data folder a payrun of these addresses runs. */
function whereUpRuns(addresses = UP): string {
  const folder = temporaryFolder();
  const home = join(folder, '.payrun');
  writeRunningInstance(home, addresses, Date.now);
  onTestFinished(() => removeRunningInstance(home));
  return folder;
}

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
  throw new Error('the environment was accepted');
}

const asWorker = (variables: Variables, folder: string) => readWorkerInstallation(readEnvironment(variables), folder);
const asServer = (variables: Variables, folder: string) =>
  readServerInstallation(readServerEnvironment(variables), folder);

describe('all from one installation, or nothing', () => {
  test('a production database is never paired with the sandbox that happens to run here', () => {
    const message = messageOf(() => asWorker(SERVICES, whereUpRuns()));
    expect(message).toContain(
      'these environment variables are missing: PAYRUN_API_URL, PAYRUN_API_KEY, PAYRUN_ACCESS_KEY_ID, PAYRUN_SECRET_ACCESS_KEY\n',
    );
    expect(message).toContain(
      'DATABASE_URL, TEMPORAL_ADDRESS are set, so nothing is taken from a payrun that runs here',
    );
    expect(message).toMatch(/Set the missing ones as well, or unset those/);
  });

  test.each([
    { DATABASE_URL: SERVICES.DATABASE_URL },
    { TEMPORAL_ADDRESS: '127.0.0.1:7233' },
    { PAYRUN_API_URL: PROVIDER.PAYRUN_API_URL },
    { PAYRUN_API_KEY: 'key' },
    { PAYRUN_ACCESS_KEY_ID: 'id' },
    { PAYRUN_SECRET_ACCESS_KEY: 'secret' },
  ])('one variable of the environment is enough for the running payrun to be left alone: %j', (variables) => {
    const [named = ''] = Object.keys(variables);
    const message = messageOf(() => asWorker(variables, whereUpRuns()));
    const all = ['DATABASE_URL', 'TEMPORAL_ADDRESS', ...Object.keys(PROVIDER)];
    const missing = all.filter((name) => name !== named).join(', ');
    expect(message).toContain(`are missing: ${missing}\n${named} is set, so nothing is taken`);
  });

  test.each(['DATABASE_URL', 'PAYRUN_API_KEY', 'PAYRUN_ACCESS_KEY_ID', 'PAYRUN_SECRET_ACCESS_KEY'])(
    'also when it is %s_FILE',
    (name) => {
      const path = join(temporaryFolder(), 'secret');
      writeFileSync(path, 'postgres://127.0.0.1/payrun');
      expect(messageOf(() => asWorker({ [`${name}_FILE`]: path }, whereUpRuns()))).toContain(`${name}_FILE is set`);
    },
  );

  test('with none of them, everything is the running payrun’s, whatever else is set', () => {
    const folder = whereUpRuns();
    const variables = {
      ...VARIANT,
      PAYRUN_OWNER_DATABASE_URL: 'postgres://127.0.0.1:1/other',
      TEMPORAL_NAMESPACE: 'another',
      TEMPORAL_API_KEY: 'of another cluster',
      PAYRUN_PROVIDER_UPLOAD_HOSTS: 'files.invalid',
    };
    const worker = asWorker(variables, folder);
    expect(worker).toMatchObject({
      home: join(folder, '.payrun'),
      databaseUrl: UP.workerDatabaseUrl,
      ownerDatabaseUrl: undefined,
      temporal: { address: UP.temporalAddress, namespace: 'embedded', apiKey: undefined, tls: false },
    });
    expect(worker.accounts).toHaveLength(1);
    expect(worker.accounts[0]).toMatchObject({ name: 'default', apiUrl: UP.sandboxUrl });
    expect(worker.accounts[0]?.variant).toBeUndefined();
    expect(asServer(variables, folder)).toMatchObject({
      databaseUrl: UP.serverDatabaseUrl,
      temporal: { uiUrl: UP.temporalUiUrl },
    });
  });

  test('where nothing is named and nothing runs, every variable is named, and payrun up', () => {
    const message = messageOf(() => asWorker({}, temporaryFolder()));
    for (const name of ['DATABASE_URL', 'TEMPORAL_ADDRESS', ...Object.keys(PROVIDER)]) expect(message).toContain(name);
    expect(message).toContain('payrun up');
  });

  test('a running payrun with a provider of its own does not give that provider’s credentials', () => {
    const folder = whereUpRuns({ ...UP, sandboxUrl: undefined });
    const message = messageOf(() => asWorker({}, folder));
    expect(message).toContain('the payrun that runs here does not tell PAYRUN_API_URL, PAYRUN_API_KEY');
    expect(asServer({}, folder).databaseUrl).toBe(UP.serverDatabaseUrl);
  });

  test('versions need Temporal alone, by the same rule', () => {
    const folder = whereUpRuns();
    expect(readTemporalSettings(readEnvironment({}), folder).address).toBe(UP.temporalAddress);
    const { DATABASE_URL, ...temporal } = SERVICES;
    expect(readTemporalSettings(readEnvironment(temporal), folder)).toMatchObject({
      address: SERVICES.TEMPORAL_ADDRESS,
      namespace: 'default',
      tls: true,
    });
    const message = messageOf(() => readTemporalSettings(readEnvironment({ DATABASE_URL }), folder));
    expect(message).toContain('these environment variables are missing: TEMPORAL_ADDRESS\n');
  });
});

describe('payrun up', () => {
  test('takes a provider of one’s own whole, or the sandbox', () => {
    expect(() => requireWholeProvider(readEnvironment({}))).not.toThrow();
    expect(() => requireWholeProvider(readEnvironment(PROVIDER))).not.toThrow();
    const keys = readEnvironment({ ...PROVIDER, PAYRUN_API_URL: '' });
    const message = messageOf(() => requireWholeProvider(keys));
    expect(message).toContain('these environment variables are missing: PAYRUN_API_URL\n');
    expect(message).toContain('or none of the provider to run with the sandbox');
  });
});

describe('a worker', () => {
  test('has the credentials, and what is configured of the provider’s variant', () => {
    const folder = temporaryFolder();
    const [account] = asWorker({ ...SERVICES, ...PROVIDER, ...VARIANT }, folder).accounts;
    expect(account?.credentials).toEqual({ apiKey: 'key', accessKeyId: 'id', secretAccessKey: 'secret' });
    expect(account?.variant).toEqual({
      userDayFormat: 'YYYY-MM-DD',
      documentUpload: { method: 'POST', headers: { 'x-abc': 'STANDARD' } },
      storagePrefix: 'abc',
      virtualAccountRequestPath: '/requests/:requestId',
    });
  });
});

describe('a server', () => {
  test('needs no provider, and knows the accounts by name and limits alone', () => {
    const { accounts, databaseUrl } = asServer({ ...SERVICES, PAYRUN_REQUESTS_PER_SECOND: '3' }, temporaryFolder());
    expect(databaseUrl).toBe(SERVICES.DATABASE_URL);
    expect(accounts).toEqual([
      {
        ...{ name: 'default', requestsPerSecond: 3, requestsPerDay: 432_000, requestsReservedPerDay: 4_320 },
        ...{ webhookTokens: undefined, webhookHeaders: {} },
      },
    ]);
  });

  test.each(['PAYRUN_API_KEY', 'PAYRUN_ACCESS_KEY_ID', 'PAYRUN_SECRET_ACCESS_KEY'])(
    'that holds %s does not start, and says why',
    (name) => {
      const message = messageOf(() => asServer({ ...SERVICES, [name]: 'S3CRET' }, temporaryFolder()));
      expect(message).toContain(
        `${name}: remove what is the provider's from a server's environment: only workers need it`,
      );
      expect(message).not.toContain('S3CRET');
      const asFile = messageOf(() => asServer({ ...SERVICES, [`${name}_FILE`]: '/nowhere' }, temporaryFolder()));
      expect(asFile).toContain(`${name}_FILE: remove what is the provider's`);
      expect(asFile).not.toContain('cannot be read');
    },
  );
});
