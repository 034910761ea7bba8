import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { writeRunningInstance, removeRunningInstance } from '../../config/running-instance.ts';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';
import { runDoctor } from '../../operations/doctor.ts';
import type { Variables } from '../../config/environment.ts';
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

let testDatabase: TestDatabase;
let sandbox: RunningSandbox;

beforeAll(async () => {
  testDatabase = await createTestDatabase({ provider: 'none' });
  sandbox = await startSandbox({ port: 0 });
});
afterAll(async () => {
  await sandbox.close();
  await testDatabase.drop();
});

const CREDENTIALS = {
  PAYRUN_API_KEY: defaultAccount.apiKey,
  PAYRUN_ACCESS_KEY_ID: defaultAccount.accessKeyId,
  PAYRUN_SECRET_ACCESS_KEY: defaultAccount.secretAccessKey,
};

async function doctorSays(variables: Variables, home = temporaryFolder()): Promise<{ code: number; said: string }> {
  let said = '';
  const stdout = { write: (text: string) => Boolean((said += text)) };
  const env = { PAYRUN_HOME: home, ...variables };
  const code = await runDoctor({ env, cwd: home, stdout, stderr: stdout } as never, { json: false });
  for (const secret of [...Object.values(CREDENTIALS), 'S3CRET']) expect(said).not.toContain(secret);
  return { code, said };
}

const services = (): Variables => ({
  DATABASE_URL: testDatabase.workerUrl,
  TEMPORAL_ADDRESS: inject('temporalAddress'),
  PAYRUN_API_URL: sandbox.url,
});
const totalRequests = (): number => sandbox.ledger().requests.total;

async function forgetToken(): Promise<void> {
  await testDatabase.database.query('delete from provider_tokens');
}

test('the credentials are tried through the rate limiter: a token, and one request with it', async () => {
  await forgetToken();
  const before = totalRequests();
  const { code, said } = await doctorSays({ ...services(), ...CREDENTIALS });
  expect(said).toContain(`ok    provider account default: ${sandbox.url} accepts its credentials, 5 requests a second`);
  expect(code).toBe(0);
  expect(totalRequests() - before).toBe(2);
  const { rows } = await testDatabase.database.query<{ requests: number }>('select requests from request_days');
  expect(rows).toEqual([{ requests: 2 }]);
  expect(said).toContain("ok    a worker's variables: all set: DATABASE_URL, TEMPORAL_ADDRESS, PAYRUN_API_URL, ");
  expect(said).toContain(
    "ok    a server's variables: all set: DATABASE_URL, TEMPORAL_ADDRESS; a server must not have ",
  );
});

test('the credentials are tried also where a token is stored, which stays as it is', async () => {
  await testDatabase.database.query(
    `insert into provider_tokens (account, encrypted_token, expires_at) values ('default', 'stored', now() + interval '1 hour')`,
  );
  const before = totalRequests();
  expect((await doctorSays({ ...services(), ...CREDENTIALS })).code).toBe(0);
  expect(totalRequests() - before).toBe(2);
  const { rows } = await testDatabase.database.query(
    `select convert_from(encrypted_token, 'UTF8') as token from provider_tokens`,
  );
  expect(rows).toEqual([{ token: 'stored' }]);
});

test.each([
  [{ PAYRUN_SECRET_ACCESS_KEY: 'S3CRET' }, 'credentials: the provider refuses PAYRUN_ACCESS_KEY_ID with PAYRUN_SECRET'],
  [{ PAYRUN_API_KEY: 'S3CRET' }, 'credentials: the provider refuses PAYRUN_API_KEY'],
  [{ PAYRUN_API_URL: 'http://127.0.0.1:1' }, 'address: nothing listens there (ECONNREFUSED)'],
])('a wrong setting is named: %j', async (wrong, expected) => {
  await forgetToken();
  const { code, said } = await doctorSays({ ...services(), ...CREDENTIALS, ...wrong });
  expect(said).toMatch(/^FAIL  provider account default: http:\S+: /m);
  expect(said).toContain(expected);
  expect(code).toBe(5);
});

test('in the environment of a server nothing is sent to the provider, and the doctor says so', async () => {
  const before = totalRequests();
  const { code, said } = await doctorSays({ ...services(), DATABASE_URL: testDatabase.serverUrl });
  expect(said).toContain(
    'ok    provider account default: its credentials are not in this environment and cannot be tried here, 5 requests',
  );
  expect(said).toContain('not set: PAYRUN_API_KEY, PAYRUN_ACCESS_KEY_ID, PAYRUN_SECRET_ACCESS_KEY\n');
  expect(code).toBe(0);
  expect(totalRequests()).toBe(before);
});

test('the login of a worker in the environment of a server is wrong', async () => {
  const { code, said } = await doctorSays(services());
  expect(said).toContain("FAIL  database role: the login of DATABASE_URL is a worker's");
  expect(code).toBe(5);
});

test('with a payrun that runs with its sandbox, the sandbox is tried', async () => {
  const home = temporaryFolder();
  const addresses = {
    workerDatabaseUrl: testDatabase.workerUrl,
    temporalAddress: inject('temporalAddress'),
    sandboxUrl: sandbox.url,
  };
  writeRunningInstance(home, addresses, Date.now);
  onTestFinished(() => removeRunningInstance(home));
  const { code, said } = await doctorSays({}, home);
  expect(said).toContain(`ok    provider account default: ${sandbox.url} accepts its credentials`);
  expect(said).toContain("ok    a worker's variables: none of DATABASE_URL, ");
  expect(code).toBe(0);
});

test('a data key that is missing is wrong; none at all, or nothing encrypted, is not', async () => {
  const data = Buffer.alloc(60);
  const lost = 'a0a0a0a0a0a0a0a0';
  const environments = [
    { ...services(), ...CREDENTIALS },
    { ...services(), DATABASE_URL: testDatabase.serverUrl },
  ];
  const keys = { PAYRUN_DATA_KEY: Buffer.alloc(32, 7).toString('base64') };
  for (const environment of environments) expect((await doctorSays(environment)).said).not.toContain('personal data');
  await testDatabase.database.query(
    'insert into case_keys (case_id, wrapped, wrapped_by) values (gen_random_uuid(), $1, $2)',
    [data, lost],
  );
  onTestFinished(() => testDatabase.database.query('delete from case_keys').then(() => undefined));
  for (const environment of environments) {
    const { code, said } = await doctorSays({ ...environment, ...keys });
    expect(said).toContain(
      `FAIL  personal data: data key ${lost} is not configured: the personal data of 1 case cannot`,
    );
    expect(said).not.toContain(keys.PAYRUN_DATA_KEY);
    expect(code).toBe(5);
    const without = await doctorSays(environment);
    expect(without.said).toContain('ok    personal data: WARNING: no data key is configured here, but 1 case');
    expect(without.code).toBe(0);
  }
});
