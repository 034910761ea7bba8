import { expect, test } from 'vitest';
import { faultKinds } from '../../sandbox/faults/fault-kinds.ts';
import { aSandbox, asText, type Caller } from './a-sandbox.ts';

/** The status of an upload with each kind of fault, 0 for a broken connection, and whether the file was stored. */
const atUploads: Readonly<Record<string, readonly [number, boolean]>> = {
  error_before: [503, false],
  error_after: [502, true],
  error_html_before: [502, false],
  error_html_after: [504, true],
  rate_limited: [429, false],
  reset_before: [0, false],
  reset_after: [0, true],
  slow: [200, true],
  slow_after: [200, true],
  cut_after: [0, true],
  not_json_after: [200, true],
};

const atDownloads: Readonly<Record<string, readonly [number, string]>> = {
  ...Object.fromEntries(Object.entries(atUploads).map(([kind, [status]]) => [kind, [status, 'error'] as const])),
  slow: [200, 'pages'],
  slow_after: [200, 'pages'],
  not_json_after: [200, 'html'],
  garbled_after: [200, 'pa'],
  empty_after: [200, ''],
};

const requestKinds = faultKinds.filter(({ target }) => target === 'request').map(({ kind }) => kind);

async function seen(url: unknown, init: RequestInit = {}): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(asText(url), init);
    return { status: response.status, text: await response.text() };
  } catch {
    return { status: 0, text: '' };
  }
}

const order = (caller: Caller, operation: string, kind: string): Promise<{ status: number; text: string }> => {
  const delay = kind.startsWith('slow') ? { delayMs: 5 } : {};
  return caller.post('/__sandbox/faults', [{ operation, kind, ...delay }]);
};

async function aDocument(caller: Caller): Promise<{ path: string; uploadUrl: unknown }> {
  const signUp = { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', countryCode: 'SG' };
  const user = (await caller.post('/v2/signup', { ...signUp, accountType: 'individual' })).body;
  const path = `/v2/users/${asText(user['userId'])}/documents`;
  const { id, uploadUrl } = (await caller.post(path, { documentType: 'passport', documentName: 'p.pdf' })).body;
  return { path: `${path}/${asText(id)}`, uploadUrl };
}

const anUpload = { method: 'PUT', body: 'pages', headers: { 'content-type': 'application/pdf' } };

test.each(requestKinds)(
  'an upload of a supporting file can have the fault %s, or the fault is refused',
  async (kind) => {
    const caller = await (await aSandbox()).signIn();
    const { uploadUrl, fileId } = (await caller.post('/simple-payments/v1/get-upload-url', { fileName: 'a.pdf' })).body[
      'data'
    ]!;
    const added = await order(caller, 'simple-payment-upload-file', kind);
    const expected = atUploads[kind];
    if (!expected) {
      expect(added.text).toContain(`0.kind: ${kind} does not apply to simple-payment-upload-file`);
      return;
    }
    const [status, isThere] = expected;
    const headers = { ...anUpload.headers, 'x-sandbox-storage-class': 'STANDARD' };
    expect((await seen(uploadUrl, { ...anUpload, headers })).status).toBe(status);
    const { quoteId } = await caller.aQuote();
    expect((await caller.create({ quoteId, files: [fileId] })).status).toBe(isThere ? 200 : 400);
  },
);

test.each(requestKinds)('an upload of a document can have the fault %s, or the fault is refused', async (kind) => {
  const caller = await (await aSandbox()).signIn();
  const { path, uploadUrl } = await aDocument(caller);
  const added = await order(caller, 'document-upload-file', kind);
  const expected = atUploads[kind];
  if (!expected) {
    expect(added.text).toContain(`0.kind: ${kind} does not apply to document-upload-file`);
    return;
  }
  expect((await seen(uploadUrl, anUpload)).status).toBe(expected[0]);
  const { downloadUrl } = (await caller.get(path)).body;
  expect((await seen(downloadUrl)).status).toBe(expected[1] ? 200 : 404);
});

test.each(requestKinds)('a download of a document can have the fault %s, or the fault is refused', async (kind) => {
  const caller = await (await aSandbox()).signIn();
  const { path, uploadUrl } = await aDocument(caller);
  await seen(uploadUrl, anUpload);
  const { downloadUrl } = (await caller.get(path)).body;
  const added = await order(caller, 'document-download-file', kind);
  const expected = atDownloads[kind];
  if (!expected) {
    expect(added.text).toContain(`0.kind: ${kind} does not apply to document-download-file`);
    return;
  }
  const answer = await seen(downloadUrl);
  expect(answer.status).toBe(expected[0]);
  if (expected[1] === 'html') expect(answer.text).toContain('<html>');
  else if (expected[1] !== 'error') expect(answer.text).toBe(expected[1]);
  expect(await seen(downloadUrl)).toEqual({ status: 200, text: 'pages' });
});
