import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { readEnvironment, type Variables } from '../../config/environment.ts';
import { aTestAuthority } from '../helpers/certificates.ts';
import { temporaryFolder } from '../local/temporary-folder.ts';

function messageFor(variables: Variables): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
  }
  throw new Error('the environment was accepted');
}

describe('beyond this machine, plain text is refused', () => {
  test.each([
    [{ PAYRUN_API_URL: 'http://provider.invalid' }, 'PAYRUN_API_URL', 'provider', 'give an https address'],
    [{ TEMPORAL_ADDRESS: 'temporal.invalid:7233' }, 'TEMPORAL_ADDRESS', 'temporal', 'set TEMPORAL_TLS=true'],
    [{ TEMPORAL_ADDRESS: 'temporal.invalid:7233', TEMPORAL_TLS: 'false' }, 'TEMPORAL_ADDRESS', 'temporal', 'set'],
    [{ DATABASE_URL: 'postgres://a:S3CRET@db.invalid/p' }, 'DATABASE_URL', 'postgres', 'add ?sslmode=verify-full'],
    [{ DATABASE_URL: 'postgres://db.invalid/p?sslmode=disable' }, 'DATABASE_URL', 'postgres', 'add'],
    [{ DATABASE_URL: 'postgres://db.invalid/p?sslmode=prefer' }, 'DATABASE_URL', 'postgres', 'add'],
    [{ DATABASE_URL: 'postgres://db.invalid/p?sslmode=no-verify' }, 'DATABASE_URL', 'postgres', 'add'],
    [{ DATABASE_URL: 'postgres://db.invalid/p?sslmode=require&sslmode=disable' }, 'DATABASE_URL', 'postgres', 'add'],
    [{ DATABASE_URL: 'postgres://127.0.0.1/p?host=db.invalid' }, 'DATABASE_URL', 'postgres', 'add'],
    [{ PAYRUN_OWNER_DATABASE_URL: 'postgres://db.invalid/p' }, 'PAYRUN_OWNER_DATABASE_URL', 'postgres', 'add'],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel.invalid:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'traces',
      'give an https',
    ],
  ])('%j', (variables, variable, service, fix) => {
    const message = messageFor(variables);
    expect(message).toMatch(new RegExp(`  ${variable}: \\S+\\.invalid would be reached without encryption: `));
    expect(message).toContain(fix.replace('?', '?'));
    expect(message).toContain(`PAYRUN_ALLOW_PLAINTEXT=${service}`);
    expect(message).not.toContain('S3CRET');
    expect(() => readEnvironment({ ...variables, PAYRUN_ALLOW_PLAINTEXT: `server, ${service}` })).not.toThrow();
    expect(messageFor({ ...variables, PAYRUN_ALLOW_PLAINTEXT: 'server,uploads' })).toBe(message);
  });

  test.each([
    { PAYRUN_API_URL: 'http://localhost:8080' },
    { PAYRUN_API_URL: 'http://[::1]:8080' },
    { TEMPORAL_ADDRESS: '127.0.0.1:7233' },
    { TEMPORAL_ADDRESS: 'temporal.invalid:7233', TEMPORAL_TLS: 'true' },
    { TEMPORAL_ADDRESS: 'temporal.invalid:7233', TEMPORAL_API_KEY: 'key' },
    { DATABASE_URL: 'postgres://localhost/p' },
    { DATABASE_URL: 'postgres://[::1]:5432/p' },
    { DATABASE_URL: 'postgres://%2Fvar%2Frun%2Fpostgresql/p' },
    { DATABASE_URL: 'postgres://ignored.invalid/p?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgres://db.invalid/p?sslmode=require' },
    { DATABASE_URL: 'postgres://db.invalid/p?sslmode=verify-ca' },
    { DATABASE_URL: 'postgres://db.invalid/p?sslmode=verify-full' },
  ])('%j is encrypted or on this machine', (variables) => {
    expect(() => readEnvironment(variables)).not.toThrow();
  });

  test('each service is named at once, with everything else that is wrong', () => {
    const message = messageFor({
      PAYRUN_API_URL: 'http://provider.invalid',
      TEMPORAL_ADDRESS: 'temporal.invalid:7233',
      DATABASE_URL: 'postgres://db.invalid/p',
      PAYRUN_HTTP_PORT: '-1',
    });
    for (const name of ['PAYRUN_API_URL', 'TEMPORAL_ADDRESS', 'DATABASE_URL', 'PAYRUN_HTTP_PORT']) {
      expect(message).toContain(`  ${name}: `);
    }
  });

  test('what may be plain is named by one of five words', () => {
    expect(messageFor({ PAYRUN_ALLOW_PLAINTEXT: 'provider,all' })).toContain(
      'PAYRUN_ALLOW_PLAINTEXT: give a comma list of provider, server, postgres, temporal, uploads',
    );
  });

  test('a database without a host would be whichever the driver chooses', () => {
    expect(messageFor({ DATABASE_URL: 'postgres:///p' })).toContain('DATABASE_URL: name the host');
  });
});

describe('TLS of Postgres', () => {
  test.each(['require', 'verify-ca', 'verify-full'])('sslmode=%s checks certificate and name', (mode) => {
    const { DATABASE_URL } = readEnvironment({
      DATABASE_URL: `postgres://a:p%40ss@db.invalid/p?sslmode=${mode}&uselibpqcompat=true&options=-c%20x`,
    });
    const url = new URL(DATABASE_URL ?? '');
    expect(Object.fromEntries(url.searchParams)).toEqual({ sslmode: 'verify-full', options: '-c x' });
    expect(url.password).toBe('p%40ss');
  });

  test('an authority of one’s own reaches the driver, for the owner too', () => {
    const { path } = aTestAuthority();
    const { DATABASE_URL, PAYRUN_OWNER_DATABASE_URL } = readEnvironment({
      DATABASE_URL: 'postgres://db.invalid/p',
      PAYRUN_OWNER_DATABASE_URL: 'postgres://db.invalid/p?sslmode=require',
      DATABASE_CA_FILE: path,
    });
    for (const address of [DATABASE_URL, PAYRUN_OWNER_DATABASE_URL]) {
      expect(Object.fromEntries(new URL(address ?? '').searchParams)).toEqual({
        sslmode: 'verify-full',
        sslrootcert: path,
      });
    }
  });

  test('an authority whose certificates nobody would check is a contradiction', () => {
    const { path } = aTestAuthority();
    const variables = { DATABASE_URL: 'postgres://127.0.0.1/p?sslmode=disable', DATABASE_CA_FILE: path };
    expect(messageFor(variables)).toContain('DATABASE_URL: its sslmode contradicts DATABASE_CA_FILE');
  });
});

describe('files of authorities', () => {
  test.each(['PAYRUN_API_CA_FILE', 'DATABASE_CA_FILE', 'TEMPORAL_TLS_CA'])('%s is read at the start', (name) => {
    expect(messageFor({ [name]: '/nowhere/ca.pem' })).toContain(`${name}: the file it names cannot be read`);
    const path = join(temporaryFolder(), 'ca.pem');
    writeFileSync(path, 'no certificate');
    expect(messageFor({ [name]: path })).toContain(`${name}: the file it names holds no certificate`);
  });
});

test.each(['TEMPORAL_API_KEY', 'TEMPORAL_TLS_CERT', 'TEMPORAL_TLS_CA'])(
  'TEMPORAL_TLS=false beside %s is a contradiction: the key would travel in clear',
  (name) => {
    const value = name === 'TEMPORAL_TLS_CA' ? aTestAuthority().path : 'S3CRET';
    const both = name === 'TEMPORAL_TLS_CERT' ? { TEMPORAL_TLS_KEY: 'S3CRET' } : {};
    const message = messageFor({ TEMPORAL_TLS: 'false', [name]: value, ...both });
    expect(message).toContain(`TEMPORAL_TLS: false contradicts ${name}`);
    expect(message).not.toContain('S3CRET');
  },
);
