import { expect, test } from 'vitest';
import { aSandbox, asText, type Answer, type Caller } from './a-sandbox.ts';

const storageHeaders = { 'content-type': 'application/pdf', 'x-sandbox-storage-class': 'STANDARD' };

async function anUpload(caller: Caller): Promise<{ uploadUrl: string; fileId: string }> {
  const { body } = await caller.post('/simple-payments/v1/get-upload-url', { fileName: 'invoice.pdf' });
  return { uploadUrl: asText(body['data']!['uploadUrl']), fileId: asText(body['data']!['fileId']) };
}

async function put(
  url: string,
  headers: Record<string, string> = storageHeaders,
  body = '%PDF-1.7',
): Promise<[number, string]> {
  const response = await fetch(url, { method: 'PUT', headers, body: new TextEncoder().encode(body) });
  const text = await response.text();
  return [response.status, text === '' ? '' : asText((JSON.parse(text) as Answer['body'])['code'])];
}

test('a payment that needs documents accepts uploaded files only', async () => {
  const caller = await (await aSandbox()).signIn();
  const { uploadUrl, fileId } = await anUpload(caller);
  const { quoteId } = await caller.aQuote({ amount: 500.15 });
  expect((await caller.create({ quoteId })).body['message']).toContain('files');
  expect((await caller.create({ quoteId, files: [fileId] })).body['code']).toBe('file_not_uploaded');
  expect(await put(uploadUrl)).toEqual([200, '']);
  expect((await caller.create({ quoteId, files: [fileId] })).status).toBe(200);
});

test('an upload URL is outside the API, and its query has the same prefix as the storage class header', async () => {
  const caller = await (await aSandbox({ storagePrefix: 'acme' })).signIn();
  const { uploadUrl } = await anUpload(caller);
  const { pathname, searchParams } = new URL(uploadUrl);
  expect(pathname).not.toMatch(/^\/(simple-payments|v2|users)/);
  expect([...searchParams.keys()]).toContain('X-Acme-UrlSignature');
  expect(searchParams.get('X-Acme-SignedHeaders')).toContain('x-acme-storage-class');
  expect(await put(uploadUrl)).toEqual([400, 'missing_storage_class']);
  expect(await put(uploadUrl, { 'content-type': 'image/png', 'x-acme-storage-class': 'STANDARD' })).toEqual([200, '']);
});

test('an upload needs the storage class and a content type', async () => {
  const caller = await (await aSandbox()).signIn();
  const { uploadUrl } = await anUpload(caller);
  expect(await put(uploadUrl, { 'content-type': 'application/pdf' })).toEqual([400, 'missing_storage_class']);
  const frozen = { ...storageHeaders, 'x-sandbox-storage-class': 'GLACIER' };
  expect(await put(uploadUrl, frozen)).toEqual([400, 'missing_storage_class']);
  expect(await put(uploadUrl, { 'x-sandbox-storage-class': 'STANDARD' })).toEqual([400, 'validation_failed']);
});

test('an upload URL expires, and a changed one is refused', async () => {
  const caller = await (await aSandbox({ uploadTtlMs: 5000 })).signIn();
  const { uploadUrl } = await anUpload(caller);
  caller.sandbox.advance(5000);
  expect(await put(uploadUrl)).toEqual([200, '']);
  expect(await put(uploadUrl.slice(0, -1) + (uploadUrl.endsWith('0') ? '1' : '0'))).toEqual([403, 'url_invalid']);
  expect(await put(`${caller.sandbox.url}/storage/unknown`)).toEqual([403, 'url_invalid']);
  caller.sandbox.advance(1);
  expect(await put(uploadUrl)).toEqual([403, 'url_expired']);
});

test('a file over the limit is refused, by its declared and by its actual length', async () => {
  const caller = await (await aSandbox({ maxFileBytes: 100 })).signIn();
  const announced = { fileName: 'big.pdf', contentLength: 101 };
  expect((await caller.post('/simple-payments/v1/get-upload-url', announced)).body['message']).toContain(
    'contentLength',
  );
  expect((await caller.post('/simple-payments/v1/get-upload-url', {})).body['message']).toContain('fileName');
  const { uploadUrl } = await anUpload(caller);
  expect(await put(uploadUrl, storageHeaders, 'x'.repeat(100))).toEqual([200, '']);
  expect(await put(uploadUrl, storageHeaders, 'x'.repeat(101))).toEqual([413, 'file_too_large']);
});

test('uploads are counted by operation only, and those with a credential are counted as leaks', async () => {
  const caller = await (await aSandbox()).signIn();
  const { uploadUrl } = await anUpload(caller);
  await put(uploadUrl);
  await put(uploadUrl, { ...storageHeaders, 'x-api-key': 'oops' });
  await put(uploadUrl, { ...storageHeaders, authorization: 'oops' });
  const ledger = caller.sandbox.ledger();
  expect(ledger.credentialLeaks).toBe(2);
  expect(ledger.requests).toMatchObject({ total: 2, byOperation: { 'simple-payment-upload-file': 3 } });
  expect(ledger.mostInAnySecond).toBe(2);
});
