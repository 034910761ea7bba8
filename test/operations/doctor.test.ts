import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../sandbox/server.ts';
import { runDoctor } from '../../operations/doctor.ts';
import { lineOf } from '../../operations/finding.ts';
import { roleFinding } from '../../operations/role-finding.ts';
import type { Variables } from '../../config/environment.ts';
import { SERVER_ROLE, WORKER_ROLE } from '../../store/database/runtime-role.ts';

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:1';

async function doctorSays(variables: Variables): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'payrun-doctor-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  let said = '';
  const stdout = { write: (text: string) => Boolean((said += text)) };
  const env = {
    PAYRUN_HOME: home,
    DATABASE_URL: `postgres://${NOWHERE}/payrun`,
    TEMPORAL_ADDRESS: NOWHERE,
    PAYRUN_API_URL: sandbox.url,
    PAYRUN_API_KEY: 'S3CRET-key',
    PAYRUN_ACCESS_KEY_ID: 'S3CRET-id',
    PAYRUN_SECRET_ACCESS_KEY: 'S3CRET-secret',
    ...variables,
  };
  await runDoctor({ env, cwd: home, stdout, stderr: stdout } as never, { json: false });
  return said;
}

test('the doctor names the headers that webhooks must carry, and shows no secret', async () => {
  const said = await doctorSays({ PAYRUN_WEBHOOK_HEADERS: '{"X-Hook":"S3CRET-one","X-Alarm":"S3CRET-two"}' });
  expect(said).toContain('ok    webhooks: must carry x-alarm, x-hook\n');
  expect(said).not.toContain('S3CRET');
});

test('the doctor shows the configured variant of the provider, headers by name', async () => {
  const said = await doctorSays({
    PAYRUN_PROVIDER_DATE_FORMAT: 'YYYY-MM-DD',
    PAYRUN_PROVIDER_UPLOAD_METHOD: 'POST',
    PAYRUN_PROVIDER_UPLOAD_HEADERS: '{"x-abc-storage-class":"S3CRET"}',
    PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: 'abc',
    PAYRUN_PROVIDER_UPLOAD_HOSTS: 'files.invalid,*.storage.invalid',
    PAYRUN_ALLOW_PLAINTEXT: 'provider,uploads',
    PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: '/requests/:requestId',
  });
  expect(said).toContain('ok    webhooks: no header is configured\n');
  expect(said).toContain('ok    encryption: not required of provider, uploads\n');
  expect(said).toContain(
    '5 requests a second, 432000 a day, the last 4320 reserved to finish started payments, days as YYYY-MM-DD, documents by POST, documents with x-abc-storage-class, ' +
      'files with x-abc-storage-class, virtual account requests at /requests/:requestId, files only to files.invalid, *.storage.invalid\n',
  );
  expect(said).not.toContain('S3CRET');
});

test.each([
  [SERVER_ROLE, "a worker's, but this environment, without the provider's credentials, is a server's"],
  [WORKER_ROLE, "a server's, but this environment, with the provider's credentials, is a worker's"],
] as const)('the login of the other process is wrong for %s', (role, expected) => {
  const finding = roleFinding(role, 'other_role');
  expect(finding.problem).toContain(`the login of DATABASE_URL is ${expected}`);
  expect(lineOf(finding)).toMatch(/^FAIL  database role: /);
});

test('triggers alone are a warning, and the other protections are fine', () => {
  const lines = (['rights', 'role_taken', 'triggers', null] as const).map((protection) =>
    lineOf(roleFinding(WORKER_ROLE, protection)),
  );
  expect(lines.map((line) => line.startsWith('ok    database role: '))).toEqual([true, true, true, true]);
  expect(lines.map((line) => line.includes('WARNING: only triggers refuse'))).toEqual([false, false, true, false]);
});
