import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { KNOWN_EXTRA_STATUSES } from '../../domain/payments/provider-status.ts';
import { ConfigurationError } from '../../config/configuration-error.ts';
import { readEnvironment, type Variables } from '../../config/environment.ts';

function messageFor(variables: Variables): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
  }
  throw new Error('the environment was accepted');
}

describe('headers of webhooks', () => {
  test('are read from a JSON object, their names in any case of letters', () => {
    const { PAYRUN_WEBHOOK_HEADERS } = readEnvironment({
      PAYRUN_WEBHOOK_HEADERS: '{"X-Hook":"a value","x-pin":12.50}',
    });
    expect(PAYRUN_WEBHOOK_HEADERS).toEqual({ 'x-hook': 'a value', 'x-pin': '12.50' });
  });

  test('can lie in a file, as any secret', () => {
    const folder = mkdtempSync(join(tmpdir(), 'payrun-environment-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'headers');
    writeFileSync(path, '{"x-hook":"value"}\n');
    expect(readEnvironment({ PAYRUN_WEBHOOK_HEADERS_FILE: path }).PAYRUN_WEBHOOK_HEADERS).toEqual({
      'x-hook': 'value',
    });
    expect(messageFor({ PAYRUN_WEBHOOK_HEADERS_FILE: path, PAYRUN_WEBHOOK_HEADERS: '{}' })).toContain('given twice');
  });

  test('that are not named are not configured', () => {
    expect(readEnvironment({ PAYRUN_WEBHOOK_HEADERS: '' }).PAYRUN_WEBHOOK_HEADERS).toBeUndefined();
  });

  test.each([
    ['no JSON', 'S3CRET', 'give a JSON object, as {"x-name": "value"}'],
    ['a list', '["S3CRET"]', 'give a JSON object'],
    ['a nested value', '{"x-a":{"b":"S3CRET"}}', 'give a JSON object'],
    ['one name twice', '{"x-a":"S3CRET","x-a":"S3CRET2"}', 'give a JSON object'],
    ['no header', '{}', 'name a header, or leave it out'],
    ['one name in two cases', '{"X-A":"S3CRET","x-a":"S3CRET"}', 'x-a is given twice'],
    ['a name that is none', '{"x a":"S3CRET"}', 'header 1 has no usable name'],
    ['a header that every request has', '{"Content-Type":"S3CRET"}', 'Content-Type: leave it out'],
    ['an empty value', '{"x-a":"","x-b":"S3CRET"}', 'x-a: give a value'],
    ['a value with spaces around it', '{"x-a":" S3CRET "}', 'x-a: give a value'],
    ['a value with a line end', '{"x-a":"S3CRET\\nmore"}', 'x-a: give a value'],
    ['a value that is not ASCII', '{"x-a":"S3CRET ü"}', 'x-a: give a value'],
  ])('are refused with %s, and no value is shown', (_, headers, fix) => {
    const message = messageFor({ PAYRUN_WEBHOOK_HEADERS: headers });
    expect(message).toContain(`PAYRUN_WEBHOOK_HEADERS: ${fix}`);
    expect(message).not.toContain('S3CRET');
  });
});

describe('what statuses mean that the contract does not name', () => {
  const readFrom = (text: string) => readEnvironment({ PAYRUN_PAYMENT_STATUSES: text }).PAYRUN_PAYMENT_STATUSES;

  test('is known of those of newer versions, and else as it is given', () => {
    expect(readEnvironment({}).PAYRUN_PAYMENT_STATUSES).toEqual(KNOWN_EXTRA_STATUSES);
    expect(readFrom('sent_on=processing, done=completed')).toEqual({ sent_on: 'processing', done: 'completed' });
  });

  test.each(['sent_on', 'sent_on=awaiting_funds', 'sent_on=paid', '=failed', 'a=failed,'])(
    '"%s" is refused',
    (text) => {
      expect(messageFor({ PAYRUN_PAYMENT_STATUSES: text })).toContain('PAYRUN_PAYMENT_STATUSES: give a comma list');
    },
  );
});

describe('what the contract leaves open', () => {
  test('is read as it is given', () => {
    const variables = {
      PAYRUN_PROVIDER_DATE_FORMAT: 'YYYY-MM-DD',
      PAYRUN_PROVIDER_UPLOAD_METHOD: 'POST',
      PAYRUN_PROVIDER_UPLOAD_HEADERS: '{"x-abc-storage-class":"STANDARD"}',
      PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX: 'abc',
      PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH: '/virtual-accounts/v1/requests/item/:requestId',
    };
    expect(readEnvironment(variables)).toMatchObject({
      ...variables,
      PAYRUN_PROVIDER_UPLOAD_HEADERS: { 'x-abc-storage-class': 'STANDARD' },
    });
  });

  test.each([
    ['PAYRUN_PROVIDER_DATE_FORMAT', 'MM/DD/YYYY', 'give DD-MM-YYYY or YYYY-MM-DD'],
    ['PAYRUN_PROVIDER_UPLOAD_METHOD', 'put', 'give PUT or POST'],
    ['PAYRUN_PROVIDER_UPLOAD_HEADERS', '{"Authorization":"x"}', 'Authorization: leave it out'],
    ['PAYRUN_PROVIDER_UPLOAD_HEADERS', '{"content-length":"1"}', 'content-length: leave it out'],
    ['PAYRUN_PROVIDER_STORAGE_CLASS_PREFIX', 'x-abc', 'give the word between x- and -storage-class'],
    ['PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH', '/requests/item', 'give a path that begins with /'],
    ['PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH', '//elsewhere/:requestId', 'give a path that begins with /'],
    ['PAYRUN_PROVIDER_VIRTUAL_ACCOUNT_PATH', '/:requestId/:requestId', 'give a path that begins with /'],
  ])('is refused when %s is %s', (name, value, fix) => {
    expect(messageFor({ [name]: value })).toContain(`${name}: ${fix}`);
  });
});

test('a mistyped name of payrun’s is refused: the limit it means to set would not hold', () => {
  expect(messageFor({ PAYRUN_REQUEST_PER_SECOND: '1' })).toContain(
    'PAYRUN_REQUEST_PER_SECOND: payrun has no such variable: did you mean PAYRUN_REQUESTS_PER_SECOND?',
  );
});

test('every wrong variable is named at once', () => {
  const message = messageFor({
    PAYRUN_PROVIDER_UPLOAD_METHOD: 'x',
    PAYRUN_HTTP_PORT: '-1',
    PAYRUN_WEBHOOK_TOKEN: 'short',
  });
  for (const name of ['PAYRUN_PROVIDER_UPLOAD_METHOD', 'PAYRUN_HTTP_PORT', 'PAYRUN_WEBHOOK_TOKEN']) {
    expect(message).toContain(`  ${name}: `);
  }
});

describe('the export of the audit trail', () => {
  test.each(['audit', 'http://archive.example.com/audit', 'https://user:pass@archive.example.com', 'ftp://archive'])(
    'does not go to %s',
    (to) => {
      expect(messageFor({ PAYRUN_AUDIT_EXPORT: to })).toContain('PAYRUN_AUDIT_EXPORT: give the whole path');
    },
  );

  test.each(['/mnt/audit', 'https://archive.example.com/audit', 'http://127.0.0.1:9000/'])('may go to %s', (to) => {
    expect(readEnvironment({ PAYRUN_AUDIT_EXPORT: to }).PAYRUN_AUDIT_EXPORT).toBe(to);
  });

  test('shows a token to an address alone', () => {
    const given = { PAYRUN_AUDIT_EXPORT: '/mnt/audit', PAYRUN_AUDIT_EXPORT_TOKEN: 'x' };
    expect(messageFor(given)).toContain('PAYRUN_AUDIT_EXPORT_TOKEN: is for an address');
  });
});

test('a reserve that is the whole database would refuse every file', () => {
  expect(messageFor({ PAYRUN_DATABASE_LIMIT_MB: '2048' })).toContain('PAYRUN_DATABASE_LIMIT_MB: give more than');
  expect(readEnvironment({ PAYRUN_DATABASE_LIMIT_MB: '2049' }).PAYRUN_DATABASE_LIMIT_MB).toBe(2_049);
});

describe('trusted proxies', () => {
  test.each(['proxy.example.com', '10.0.0.0/33', '0.0.0.0/0', '::/0', '10.0.0.1,', '10.0.0/8', 'loopback'])(
    '%s is none, and named',
    (given) => {
      expect(messageFor({ PAYRUN_TRUSTED_PROXIES: given })).toContain('PAYRUN_TRUSTED_PROXIES');
    },
  );

  test('are addresses and networks; by default there are none', () => {
    const given = '127.0.0.1, 10.0.3.0/28, fd00::/8';
    const read = readEnvironment({ PAYRUN_TRUSTED_PROXIES: given });
    expect(read.PAYRUN_TRUSTED_PROXIES).toEqual(['127.0.0.1', '10.0.3.0/28', 'fd00::/8']);
    expect(readEnvironment({}).PAYRUN_TRUSTED_PROXIES).toEqual([]);
  });
});

describe('settings of notifications', () => {
  test.each([
    [{ PAYRUN_SMTP_URL: 'smtp://mail.example.com' }, 'PAYRUN_SMTP_URL, PAYRUN_MAIL_FROM: give both or none'],
    [{ PAYRUN_MAIL_FROM: 'payrun@example.com' }, 'PAYRUN_SMTP_URL, PAYRUN_MAIL_FROM: give both or none'],
    [{ PAYRUN_SMTP_URL: 'https://mail.example.com' }, 'PAYRUN_SMTP_URL: give smtp://host:port'],
    [{ PAYRUN_MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, 'PAYRUN_MAIL_FROM: give an address'],
    [{ PAYRUN_NOTIFICATION_PRIVATE_HOSTS: '*.example.com' }, 'PAYRUN_NOTIFICATION_PRIVATE_HOSTS: give a comma list'],
    [{ PAYRUN_PUBLIC_URL: 'payrun.example.com' }, 'PAYRUN_PUBLIC_URL: give the address of the server'],
  ] as [Variables, string][])('%j is wrong, and named', (variables, message) => {
    expect(messageFor(variables)).toContain(message);
  });

  test('are read as they are meant', () => {
    const read = readEnvironment({
      PAYRUN_SMTP_URL: 'smtps://user:pass@mail.example.com',
      PAYRUN_MAIL_FROM: 'payrun <payrun@example.com>',
      PAYRUN_NOTIFICATION_PRIVATE_HOSTS: 'Hooks.internal, 10.0.0.7',
      PAYRUN_PUBLIC_URL: 'https://payrun.example.com/',
    });
    expect(read.PAYRUN_NOTIFICATION_PRIVATE_HOSTS).toEqual(['hooks.internal', '10.0.0.7']);
    expect(read.PAYRUN_PUBLIC_URL).toBe('https://payrun.example.com');
  });
});
