import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeRunningInstance, writeRunningInstance } from '../../config/running-instance.ts';
import { readEnvironment } from '../../workers/environment.ts';
import { readInstallation } from '../../workers/installation.ts';

const SERVICES = { DATABASE_URL: 'postgres://db.invalid/payrun', TEMPORAL_ADDRESS: 'temporal.invalid:7233' };
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

function aHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'payrun-installation-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  return home;
}

test('what is configured of the provider’s variant reaches its account', () => {
  const home = aHome();
  const environment = readEnvironment({ ...SERVICES, ...PROVIDER, ...VARIANT, PAYRUN_HOME: home });
  expect(readInstallation(environment, home).accounts[0]?.variant).toEqual({
    userDayForm: 'YYYY-MM-DD',
    documentUpload: { method: 'POST', headers: { 'x-abc': 'STANDARD' } },
    storagePrefix: 'abc',
    virtualAccountRequestPath: '/requests/:requestId',
  });
});

test('a sandbox that payrun started has none of the variant that another provider has', () => {
  const home = aHome();
  writeRunningInstance(home, { sandboxUrl: 'http://127.0.0.1:1' }, Date.now);
  onTestFinished(() => removeRunningInstance(home));
  const environment = readEnvironment({ ...SERVICES, ...VARIANT, PAYRUN_HOME: home });
  const [account] = readInstallation(environment, home).accounts;
  expect(account?.apiUrl).toBe('http://127.0.0.1:1');
  expect(account?.variant).toBeUndefined();
});
