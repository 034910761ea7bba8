import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { aSandbox, asText, type Answer, type Caller, type Loose } from './a-sandbox.ts';

const aDocument = { documentType: 'passport', documentName: 'passport.pdf', contentType: 'application/pdf' };

async function anOwner(options: Partial<SandboxOptions> = {}): Promise<{ caller: Caller; path: string }> {
  const caller = await (await aSandbox(options)).signIn();
  const signUp = { firstName: 'Mei', lastName: 'Tan', email: 'mei@example.com', countryCode: 'SG' };
  const { body } = await caller.post('/v2/signup', { ...signUp, accountType: 'individual' });
  return { caller, path: `/v2/users/${asText(body['userId'])}/documents` };
}

const put = (url: Loose | undefined, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(asText(url), { method: 'PUT', body: new TextEncoder().encode(body), headers });

const codeOf = async (response: Response): Promise<unknown> =>
  ((await response.json()) as Record<string, unknown>)['code'];

const patch = (caller: Caller, path: string, id: unknown, body: unknown = {}): Promise<Answer> =>
  caller.send('PATCH', `${path}/${asText(id)}`, body);

test('a document is created, uploaded, listed, downloaded byte for byte, and deleted', async () => {
  const { caller, path } = await anOwner();
  const { body } = await caller.post(path, { ...aDocument, contentLength: 8 });
  const { id, uploadUrl, ...named } = body;
  expect(named).toEqual({ documentType: 'passport', documentName: 'passport.pdf' });
  const before = (await caller.get(`${path}/${asText(id)}`)).body;
  expect((await fetch(asText(before['downloadUrl']))).status).toBe(404);
  expect((await put(uploadUrl, '{"a": 1}', { 'content-type': 'application/json' })).status).toBe(200);
  const [listed] = (await caller.get(path)).body['value'] as unknown as Loose[];
  const downloaded = await fetch(asText(listed!['downloadUrl']));
  expect(downloaded.headers.get('content-type')).toContain('application/json');
  expect(await downloaded.text()).toBe('{"a": 1}');
  const deleted = await caller.send('DELETE', `${path}/${asText(id)}`);
  expect(deleted.body).toEqual({ documentId: id, ...named });
  expect((await caller.get(`${path}/${asText(id)}`)).body['code']).toBe('not_found');
  expect((await caller.get(path)).body).toEqual({ value: [] });
});

test('URLs are valid for five minutes, for either upload or download', async () => {
  const { caller, path } = await anOwner();
  const { id, uploadUrl } = (await caller.post(path, aDocument)).body;
  const { downloadUrl } = (await caller.get(`${path}/${asText(id)}`)).body;
  caller.sandbox.advance(5 * 60_000);
  expect((await put(uploadUrl, 'pages')).status).toBe(200);
  expect((await put(downloadUrl, 'forged')).status).toBe(403);
  expect((await fetch(asText(downloadUrl))).status).toBe(200);
  caller.sandbox.advance(1);
  expect(await codeOf(await put(uploadUrl, 'late'))).toBe('url_expired');
  expect(await codeOf(await fetch(asText(downloadUrl)))).toBe('url_expired');
});

test('an update issues a new URL and invalidates the old one; the stored file is kept', async () => {
  const { caller, path } = await anOwner();
  const { id, uploadUrl } = (await caller.post(path, aDocument)).body;
  await put(uploadUrl, 'first');
  const updated = (await patch(caller, path, id, { documentName: 'new.pdf' })).body;
  expect(updated).toMatchObject({ id, documentType: 'passport', documentName: 'new.pdf' });
  expect(await codeOf(await put(uploadUrl, 'second'))).toBe('url_invalid');
  const { downloadUrl } = (await caller.get(`${path}/${asText(id)}`)).body;
  expect(await (await fetch(asText(downloadUrl))).text()).toBe('first');
  expect((await put(updated['uploadUrl'], 'third')).status).toBe(200);
});

test('a wrong type, a missing name and a file over the limit are refused', async () => {
  const { caller, path } = await anOwner({ maxFileBytes: 100 });
  for (const [body, field] of [
    [{ ...aDocument, documentType: 'diary' }, 'documentType'],
    [{ documentType: 'passport' }, 'documentName'],
    [{ ...aDocument, contentLength: 101 }, 'contentLength'],
  ] as const) {
    const answer = await caller.post(path, body);
    expect([answer.status, answer.body['message']]).toEqual([400, expect.stringContaining(`${field}:`)]);
  }
  const { id, uploadUrl } = (await caller.post(path, aDocument)).body;
  expect((await patch(caller, path, id, { documentType: 'identity_report' })).status).toBe(400);
  expect((await patch(caller, path, id, { documentType: 'fdw' })).status).toBe(200);
  expect(await codeOf(await put(uploadUrl, 'x'.repeat(101)))).toBe('file_too_large');
});

test('the earlier variant has fewer types and no length, and URLs can be spelled with URL', async () => {
  const { caller, path } = await anOwner({ documentsVariant: 'earlier', documentUrlSpelling: 'URL' });
  expect((await caller.post(path, { ...aDocument, documentType: 'fdw' })).status).toBe(400);
  const { body } = await caller.post(path, { ...aDocument, contentLength: 999_999_999 });
  expect(Object.keys(body)).toEqual(['id', 'documentType', 'documentName', 'uploadURL']);
  expect((await patch(caller, path, body['id'], { documentType: 'ktp' })).status).toBe(400);
  expect((await patch(caller, path, body['id'], { documentType: 'nric' })).body).toHaveProperty('uploadURL');
  expect((await caller.get(`${path}/${asText(body['id'])}`)).body).toHaveProperty('downloadURL');
});

test("another user's documents do not exist, and a credential sent to the storage is counted as a leak", async () => {
  const { caller, path } = await anOwner();
  const { id, uploadUrl } = (await caller.post(path, aDocument)).body;
  const other = { firstName: 'Lee', lastName: 'Ng', email: 'lee@example.com', countryCode: 'SG' };
  const { userId } = (await caller.post('/v2/signup', { ...other, accountType: 'individual' })).body;
  expect((await caller.get(`/v2/users/${asText(userId)}/documents/${asText(id)}`)).status).toBe(404);
  await put(uploadUrl, 'pages', { 'x-api-key': 'oops' });
  expect(caller.sandbox.ledger().credentialLeaks).toBe(1);
  expect(caller.sandbox.ledger().requests.byOperation).toMatchObject({ 'document-upload-file': 1 });
});
