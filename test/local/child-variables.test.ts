import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAccountsFile } from '../../config/accounts-file.ts';
import { dataKeyFileIn } from '../../local/stack/start-stack.ts';
import { ensureDataKeyFile, keptDataKeys } from '../../config/data-key-file.ts';
import { readEnvironment, readServerEnvironment, type Variables } from '../../config/environment.ts';
import { readServerInstallation, readWorkerInstallation } from '../../config/installation.ts';
import { childVariables, childVariablesByStart } from '../../local/stack/child-variables.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from './temporary-folder.ts';

const EMBEDDED = {
  serverDatabaseUrl: 'postgres://server:s@127.0.0.1:20001/payrun',
  workerDatabaseUrl: 'postgres://worker:w@127.0.0.1:20001/payrun',
  isDatabaseEmbedded: true,
  temporalAddress: '127.0.0.1:20002',
  temporalUiUrl: 'http://127.0.0.1:20003',
  isTemporalEmbedded: true,
  sandboxUrl: 'http://127.0.0.1:20004',
};

/** The settings that the two processes read from their variables, in a folder where nothing runs. */
function asRead(variables: Variables, services: Parameters<typeof childVariables>[1]) {
  const { worker, server } = childVariables(variables, services);
  const folder = temporaryFolder();
  return {
    worker: readWorkerInstallation(readEnvironment(worker), folder),
    server: readServerInstallation(readServerEnvironment(server), folder),
  };
}

test('each process gets all addresses, as its own role, and the server no credentials', () => {
  const { worker, server } = asRead({ PATH: '/bin' }, EMBEDDED);
  expect(worker.databaseUrl).toBe(EMBEDDED.workerDatabaseUrl);
  expect(server.databaseUrl).toBe(EMBEDDED.serverDatabaseUrl);
  expect(worker.temporal.address).toBe(EMBEDDED.temporalAddress);
  expect(server.temporal.uiUrl).toBe(EMBEDDED.temporalUiUrl);
  const [account] = worker.accounts;
  expect(account).toMatchObject({ apiUrl: EMBEDDED.sandboxUrl, credentials: { apiKey: defaultAccount.apiKey } });
  expect(JSON.stringify(childVariables({}, EMBEDDED).server)).not.toContain(defaultAccount.apiKey);
});

test('worker and server have the mail server, however its address is given: one sends notifications, the other codes', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'smtp');
  writeFileSync(file, 'smtps://payrun:secret@mail.example.com');
  for (const given of [{ PAYRUN_SMTP_URL: 'smtps://payrun:secret@mail.example.com' }, { PAYRUN_SMTP_URL_FILE: file }]) {
    const { worker, server } = childVariables({ ...given, PAYRUN_MAIL_FROM: 'payrun@example.com' }, EMBEDDED);
    expect(readEnvironment(worker).PAYRUN_SMTP_URL).toBe('smtps://payrun:secret@mail.example.com');
    expect(readServerEnvironment(server).PAYRUN_SMTP_URL).toBe('smtps://payrun:secret@mail.example.com');
  }
});

test('embedded services get no settings of other services', () => {
  const { path } = aTestAuthority();
  const variables = {
    PAYRUN_TOKEN: 'of a person',
    DATABASE_CA_FILE: path,
    PAYRUN_OWNER_DATABASE_URL: 'postgres://owner@127.0.0.1/other',
    TEMPORAL_API_KEY: 'of another cluster',
    TEMPORAL_TLS_CA: path,
    PAYRUN_API_CA_FILE: path,
    PAYRUN_PROVIDER_UPLOAD_HOSTS: 'files.invalid',
    PAYRUN_PROVIDER_DATE_FORMAT: 'YYYY-MM-DD',
  };
  expect(JSON.stringify(childVariables(variables, EMBEDDED))).not.toContain('of a person');
  const { worker } = asRead(variables, EMBEDDED);
  expect(worker.databaseUrl).toBe(EMBEDDED.workerDatabaseUrl);
  expect(worker.ownerDatabaseUrl).toBeUndefined();
  expect(worker.temporal).toMatchObject({ tls: false, apiKey: undefined });
  expect(worker.accounts[0]?.variant).toEqual({ documentUpload: {} });
  expect(worker.accounts[0]?.connection).toEqual({ allowPlaintext: [] });
});

test('configured services keep their settings beside embedded ones', () => {
  const provider = {
    PAYRUN_API_URL: 'https://provider.invalid',
    PAYRUN_API_KEY: 'key',
    PAYRUN_ACCESS_KEY_ID: 'id',
    PAYRUN_SECRET_ACCESS_KEY: 'secret',
  };
  const database = 'postgres://a@db.invalid/p?sslmode=verify-full';
  const variables = {
    ...provider,
    DATABASE_URL_FILE: '/run/secrets/database-url',
    PAYRUN_PROVIDER_DATE_FORMAT: 'YYYY-MM-DD',
  };
  const services = { ...EMBEDDED, serverDatabaseUrl: database, workerDatabaseUrl: database, isDatabaseEmbedded: false };
  const { worker, server } = asRead(variables, { ...services, sandboxUrl: undefined });
  expect(server.databaseUrl).toBe(database);
  expect(worker.databaseUrl).toBe(database);
  expect(worker.accounts[0]).toMatchObject({
    apiUrl: provider.PAYRUN_API_URL,
    credentials: { apiKey: 'key', accessKeyId: 'id', secretAccessKey: 'secret' },
    variant: { userDayFormat: 'YYYY-MM-DD' },
  });
});

test('a server that starts again gets no credentials of accounts that were added to the file meanwhile', () => {
  const path = join(temporaryFolder(), 'payrun.yaml');
  const accountOf = (name: string, prefix: string): string => `  ${name}:
    api_url: https://${name}.provider.invalid
    api_key_env: ${prefix}_API_KEY
    access_key_id_env: ${prefix}_ACCESS_KEY_ID
    secret_access_key_env: ${prefix}_SECRET_ACCESS_KEY
    webhook_token_env: ${prefix}_WEBHOOK_TOKEN
`;
  const variables = {
    ...{ EUROPE_API_KEY: 'secret', EUROPE_ACCESS_KEY_ID: 'secret', EUROPE_SECRET_ACCESS_KEY: 'secret' },
    ...{ ASIA_API_KEY: 'secret', ASIA_ACCESS_KEY_ID: 'secret', ASIA_SECRET_ACCESS_KEY: 'secret' },
    ...{ EUROPE_WEBHOOK_TOKEN: 'token-of-europe', ASIA_WEBHOOK_TOKEN: 'token-of-asia' },
  };
  const given = ({ worker, server }: { worker: Variables; server: Variables }) =>
    [worker, server].map((child) => Object.keys(variables).filter((name) => child[name] !== undefined));
  const all = Object.keys(variables);
  const notOf = (...names: string[]) =>
    all.filter((variable) => variable.endsWith('TOKEN') || !names.some((name) => variable.startsWith(name)));

  writeFileSync(path, `accounts:\n${accountOf('europe', 'EUROPE')}`);
  const accounts = readAccountsFile(path);
  const variablesNow = childVariablesByStart(variables, { ...EMBEDDED, sandboxUrl: undefined, accounts });
  expect(given(variablesNow())).toEqual([all, notOf('EUROPE')]);
  writeFileSync(path, `accounts:\n${accountOf('europe', 'EUROPE')}${accountOf('asia', 'ASIA')}`);
  expect(given(variablesNow())).toEqual([all, notOf('EUROPE', 'ASIA')]);
  writeFileSync(path, 'accounts: [');
  expect(given(variablesNow())).toEqual([all, notOf('EUROPE', 'ASIA')]);
});

test('worker and server have the data keys of the data folder, unless others are configured', () => {
  const home = temporaryFolder();
  const dataKeyFile = ensureDataKeyFile(home);
  const kept = keptDataKeys(home);
  // A variable that is empty is not set.
  for (const variables of [{}, { PAYRUN_DATA_KEY: '' }, { PAYRUN_DATA_KEY_FILE: '' }]) {
    const { worker, server } = asRead(variables, { ...EMBEDDED, dataKeyFile });
    for (const keys of [worker.dataKeys, server.dataKeys]) expect(keys).toMatchObject({ ...kept });
  }
  const configured = Buffer.alloc(32, 7).toString('base64');
  const { worker, server } = asRead({ PAYRUN_DATA_KEY: configured }, EMBEDDED);
  expect(worker.dataKeys?.current.bytes).toEqual(Buffer.alloc(32, 7));
  expect(server.dataKeys).toEqual(worker.dataKeys);
});

test('a new data key is reported once, with the advice to keep a copy', () => {
  const home = temporaryFolder();
  const lines: string[] = [];
  const path = dataKeyFileIn(home, (line) => lines.push(line));
  expect(lines).toEqual([expect.stringMatching(/^Made a data key in .*data-key\. Keep a copy elsewhere/)]);
  expect(dataKeyFileIn(home, (line) => lines.push(line))).toBe(path);
  expect(lines).toHaveLength(1);
});
