import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAccountsFile } from '../../config/accounts-file.ts';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { readEnvironment, readServerEnvironment, type Variables } from '../../config/environment.ts';
import { serverAccountsIn } from '../../config/file-accounts.ts';
import { readServerInstallation, readWorkerInstallation } from '../../config/installation.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

const SERVICES = { DATABASE_URL: 'postgres://127.0.0.1/payrun', TEMPORAL_ADDRESS: '127.0.0.1:7233' };
const SECRETS = { EU_KEY: 'eu-key', EU_ID: 'eu-id', EU_SECRET: 'eu-secret' };

const TWO_ACCOUNTS = `accounts:
  europe:
    api_url: https://europe.provider.invalid
    api_key_env: EU_KEY
    access_key_id_env: EU_ID
    secret_access_key_env: EU_SECRET
    requests_per_second: 10
    upload_hosts: [files.provider.invalid]
    date_format: YYYY-MM-DD
  asia:
    api_url: https://asia.provider.invalid
    api_key_file: secrets/key
    access_key_id_file: secrets/id
    secret_access_key_file: secrets/secret
    webhook_token_file: secrets/token
    requests_per_day: 1000
`;

/** A folder with an accounts file of this content, and the files that it refers to. */
function folderWith(content: string, { name = 'payrun.yaml', secrets = {} } = {}): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'secrets'));
  const all = { key: 'asia-key\n', id: 'asia-id', secret: 'asia-secret', token: 'asia-webhook-token', ...secrets };
  for (const [file, text] of Object.entries(all)) writeFileSync(join(folder, 'secrets', file), text);
  writeFileSync(join(folder, name), content);
  return folder;
}

const worker = (folder: string, variables: Variables = {}) =>
  readWorkerInstallation(readEnvironment({ ...SERVICES, ...SECRETS, ...variables }), folder);
const server = (folder: string, variables: Variables = {}) =>
  readServerInstallation(readServerEnvironment({ ...SERVICES, ...variables }), folder);

function problemsOf(read: () => unknown, folder: string): string[] {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.message.split('\n').map((line) => line.replace(`${folder}/`, ''));
  }
  throw new Error('the file was accepted');
}

describe('payrun.yaml', () => {
  test('names several accounts, each with its own address, credentials and limits', () => {
    const folder = folderWith(TWO_ACCOUNTS);
    const { accounts, accountsFile } = worker(folder);
    expect(accountsFile).toBe(join(folder, 'payrun.yaml'));
    expect(accounts).toMatchObject([
      {
        name: 'europe',
        apiUrl: 'https://europe.provider.invalid',
        credentials: { apiKey: 'eu-key', accessKeyId: 'eu-id', secretAccessKey: 'eu-secret' },
        requestsPerSecond: 10,
        requestsPerDay: 432_000,
        requestsReservedPerDay: 4_320,
        variant: { userDayFormat: 'YYYY-MM-DD' },
        connection: { uploadHosts: ['files.provider.invalid'] },
      },
      {
        name: 'asia',
        credentials: { apiKey: 'asia-key', accessKeyId: 'asia-id', secretAccessKey: 'asia-secret' },
        requestsPerSecond: 5,
        requestsPerDay: 1_000,
        requestsReservedPerDay: 10,
      },
    ]);
  });

  test('gives a server the limits and what webhooks need, and none of the credentials', () => {
    const { accounts } = server(folderWith(TWO_ACCOUNTS));
    expect(accounts).toEqual([
      {
        ...{ name: 'europe', requestsPerSecond: 10, requestsPerDay: 432_000, requestsReservedPerDay: 4_320 },
        ...{ webhookTokens: undefined, webhookHeaders: {} },
      },
      {
        ...{ name: 'asia', requestsPerSecond: 5, requestsPerDay: 1_000, requestsReservedPerDay: 10 },
        ...{ webhookTokens: ['asia-webhook-token'], webhookHeaders: {} },
      },
    ]);
  });

  test('is not for a server whose environment holds a credential that it refers to', () => {
    const folder = folderWith(TWO_ACCOUNTS);
    expect(problemsOf(() => server(folder, { EU_KEY: 'eu-key' }), folder)).toEqual([
      "payrun.yaml: EU_KEY: remove what is the provider's from a server's environment: only workers need it",
    ]);
  });

  test('may name a variable that a running server has, which it is notified', () => {
    const folder = folderWith(TWO_ACCOUNTS);
    const environment = readServerEnvironment({ ...SERVICES, EU_KEY: 'eu-key', EU_SECRET: 'eu-secret' });
    const found: string[] = [];
    const accounts = serverAccountsIn(readAccountsFile(join(folder, 'payrun.yaml')), environment, {
      onCredential: (variable) => found.push(variable),
    });
    expect(accounts.map(({ name }) => name)).toEqual(['europe', 'asia']);
    expect(found).toEqual(['EU_KEY', 'EU_SECRET']);
  });

  test('is found by PAYRUN_CONFIG anywhere, and left alone with none', () => {
    const folder = folderWith(TWO_ACCOUNTS, { name: 'accounts.yaml' });
    const elsewhere = temporaryFolder();
    const named = worker(elsewhere, { PAYRUN_CONFIG: join(folder, 'accounts.yaml') });
    expect(named.accounts.map(({ name }) => name)).toEqual(['europe', 'asia']);
    const missing = problemsOf(() => worker(folderWith(TWO_ACCOUNTS), { PAYRUN_CONFIG: 'none' }), folder);
    expect(missing[0]).toContain('PAYRUN_API_URL, PAYRUN_API_KEY');
    expect(problemsOf(() => worker(folder, { PAYRUN_CONFIG: 'nowhere.yaml' }), folder)).toEqual([
      'nowhere.yaml: the accounts file cannot be read',
    ]);
  });

  test('names every wrong key and value at once, with its line and no value', () => {
    const folder = folderWith(`accounts:
  europe:
    api_url: europe.provider.invalid
    api_key: S3CRET
    access_key_id_env: EU_ID
    access_key_id_file: secrets/id
    requests_per_secnd: 10
    requests_per_day: many
    zone: eu
  Asia Pacific:
    api_url: https://asia.provider.invalid
limits: {}
`);
    const problems = problemsOf(() => worker(folder), folder);
    expect(problems).toEqual([
      'payrun.yaml:3: accounts.europe.api_url: give an address that begins with https://',
      'payrun.yaml:4: accounts.europe.api_key: a secret does not belong in this file: give api_key_file, the path of a file that holds it, or api_key_env',
      'payrun.yaml:7: accounts.europe.requests_per_secnd: there is no such key: did you mean requests_per_second?',
      'payrun.yaml:8: accounts.europe.requests_per_day: give a whole number',
      'payrun.yaml:9: accounts.europe.zone: there is no such key',
      'payrun.yaml:10: accounts.Asia Pacific: give an account a name of small letters, digits and hyphens, at most 31',
      'payrun.yaml:12: limits: there is no such key',
    ]);
    expect(problems.join()).not.toContain('S3CRET');
  });

  test('needs each credential once, by file or by variable', () => {
    const folder = folderWith(`accounts:
  europe:
    api_url: https://europe.provider.invalid
    api_key_env: EU_KEY
    access_key_id_env: EU_ID
    access_key_id_file: secrets/id
`);
    expect(problemsOf(() => worker(folder), folder)).toEqual([
      'payrun.yaml:2: accounts.europe: secret_access_key_file or secret_access_key_env is missing',
      'payrun.yaml:5: accounts.europe.access_key_id_env: access_key_id is given twice, also as access_key_id_file: give one of them',
    ]);
  });

  test('says which secrets cannot be had, all at once', () => {
    const folder = folderWith(TWO_ACCOUNTS.replace('secrets/id', 'secrets/nothing'), { secrets: { key: '\n' } });
    expect(problemsOf(() => worker(folder, { EU_ID: '' }), folder)).toEqual([
      'payrun.yaml: accounts.europe.access_key_id_env: the environment variable EU_ID is not set',
      'payrun.yaml: accounts.asia.api_key_file: the file it names is empty',
      'payrun.yaml: accounts.asia.access_key_id_file: the file it names cannot be read',
    ]);
  });

  test('is no YAML, and says where', () => {
    const folder = folderWith('accounts:\n  europe: [\n');
    expect(problemsOf(() => worker(folder), folder)[0]).toMatch(/^payrun\.yaml:\d+: this is not YAML/);
  });

  test('says where a value that begins with * needs quotes', () => {
    const folder = folderWith(TWO_ACCOUNTS.replace('[files.provider.invalid]', '[*.provider.invalid]'));
    expect(problemsOf(() => server(folder), folder)).toEqual([
      'payrun.yaml:8: this is not YAML (put a value that begins with * in quotes)',
    ]);
    const bomb = `accounts: [&a [0,0,0,0,0,0,0,0,0,0], &b [${'*a,'.repeat(20)}], &c [${'*b,'.repeat(20)}], *c]\n`;
    const many = folderWith(bomb);
    expect(problemsOf(() => server(many), many)).toEqual([
      'payrun.yaml:1: this is not YAML (its aliases are too many to resolve)',
    ]);
  });

  test('names no headers for uploads that the environment could not name', () => {
    const withHeaders = (headers: string): string =>
      folderWith(TWO_ACCOUNTS.replace('    date_format', `    upload_headers: ${headers}\n    date_format`));
    const folder = withHeaders(`{Authorization: S3CRET, x-class: ' S3CRET', X-Zone: eu}`);
    expect(problemsOf(() => worker(folder), folder)).toEqual([
      'payrun.yaml:9: accounts.europe.upload_headers: Authorization: leave it out: no credential goes to a storage',
      'payrun.yaml:9: accounts.europe.upload_headers: x-class: give a value of printable ASCII without spaces around it',
    ]);
    const [europe] = worker(withHeaders('{X-Zone: eu}')).accounts;
    expect(europe?.variant?.documentUpload).toEqual({ headers: { 'x-zone': 'eu' } });
  });

  test('has certificates beside itself, which workers alone need', () => {
    const { pem } = aTestAuthority();
    const folder = folderWith(TWO_ACCOUNTS.replace('    date_format', '    ca_file: secrets/ca.pem\n    date_format'));
    expect(() => server(folder)).not.toThrow();
    expect(problemsOf(() => worker(folder), folder)).toEqual([
      'payrun.yaml: accounts.europe.ca_file: the file it names cannot be read',
    ]);
    writeFileSync(join(folder, 'secrets', 'ca.pem'), pem);
    expect(worker(folder).accounts[0]?.connection?.authorities).toBe(pem);
  });

  test('leaves no second place for what describes an account', () => {
    const folder = folderWith(TWO_ACCOUNTS);
    const [problem] = problemsOf(() => worker(folder, { PAYRUN_REQUESTS_PER_SECOND: '9' }), folder);
    expect(problem).toMatch(/^PAYRUN_REQUESTS_PER_SECOND: payrun\.yaml names the accounts with the provider/);
  });

  test.each([
    'https://europe.provider.invalid',
    'https://europe.provider.invalid//',
    'https://Europe.Provider.invalid:443',
    'https://europe.provider.invalid./',
  ])('does not name one account of the provider twice, as %s: each would spend the whole limit', (address) => {
    const twice = TWO_ACCOUNTS.replace('https://asia.provider.invalid', address).replace(
      /(\w+)_file: secrets\/(key|id|secret)/g,
      '$1_env: EU_$2',
    );
    const folder = folderWith(twice.replace(/EU_(key|id|secret)/g, (name) => name.toUpperCase()));
    expect(problemsOf(() => worker(folder), folder)).toEqual([
      'payrun.yaml: accounts.asia: has the same address and access_key_id as europe',
    ]);
  });

  test('does not have credentials sent unencrypted beyond this machine', () => {
    const folder = folderWith(TWO_ACCOUNTS.replace('https://asia', 'http://asia'));
    expect(problemsOf(() => worker(folder), folder)).toEqual([
      'payrun.yaml: accounts.asia.api_url: asia.provider.invalid would be reached without encryption: give an https address, or allow it by PAYRUN_ALLOW_PLAINTEXT=provider',
    ]);
    expect(() => worker(folder, { PAYRUN_ALLOW_PLAINTEXT: 'provider' })).not.toThrow();
  });

  test('gives each account a webhook token of its own', () => {
    const same = TWO_ACCOUNTS.replace('    requests_per_second: 10', '    webhook_token_file: secrets/token');
    const folder = folderWith(same);
    expect(problemsOf(() => server(folder), folder)).toEqual([
      'payrun.yaml: two accounts have the same webhook_token: give each its own',
    ]);
  });
});
