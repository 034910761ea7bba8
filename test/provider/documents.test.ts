import { describe, expect, test } from 'vitest';
import { AUTHENTICATE, aClient, aLocalProvider, type Reply } from './local-provider.ts';

async function answering(reply: Reply) {
  const provider = await aLocalProvider(({ path }) => (path === AUTHENTICATE ? undefined : reply));
  const warnings: string[] = [];
  const client = aClient(provider, { onWarning: (warning) => warnings.push(warning) });
  return { provider, documents: client.documents, warnings };
}

const PASSPORT = { documentType: 'passport', documentName: 'passport.png' };
const UPLOAD = 'https://storage.invalid/d?X-Abc-Signature=s';
/** Not valid UTF-8, so that decoding it as text would change it. */
const BYTES = new Uint8Array([0, 255, 137, 80, 78, 71, 13, 10, 195, 40]);

describe('documents', () => {
  test.each([['uploadUrl'], ['uploadURL']])('create and update return the address, spelled %s', async (name) => {
    const { provider, documents } = await answering({ body: { id: 'd-1', ...PASSPORT, [name]: UPLOAD } });
    const expected = { id: 'd-1', ...PASSPORT, uploadUrl: UPLOAD };
    const announced = { ...PASSPORT, contentType: 'image/png', contentLength: 8 };
    expect(await documents.create('u-1', announced)).toEqual(expected);
    expect(await documents.update('u-1', 'd-1', { documentName: 'second.png' })).toEqual(expected);
    expect(await documents.update('u-1', 'd-1')).toEqual(expected);
    expect(provider.apiRequests().map(({ method, path, body }) => [method, path, body])).toEqual([
      ['POST', '/v2/users/u-1/documents', JSON.stringify(announced)],
      ['PATCH', '/v2/users/u-1/documents/d-1', '{"documentName":"second.png"}'],
      ['PATCH', '/v2/users/u-1/documents/d-1', '{}'],
    ]);
  });

  test('a created document without an upload address is unreadable', async () => {
    const { documents } = await answering({ body: { id: 'd-1', ...PASSPORT } });
    await expect(documents.create('u-1', PASSPORT)).rejects.toMatchObject({
      kind: 'unknown_outcome',
    });
  });

  test.each([
    ['downloadUrl', UPLOAD, UPLOAD],
    ['downloadURL', UPLOAD, UPLOAD],
    ['downloadUrl', null, null],
    ['downloadUrl', '', null],
  ])('a document whose %s is %j is read and listed', async (name, sent, downloadUrl) => {
    const document = { id: 'd-1', ...PASSPORT, [name]: sent };
    const { provider, documents } = await answering({ body: document });
    const expected = { id: 'd-1', ...PASSPORT, downloadUrl };
    expect(await documents.get('u-1', 'd-1')).toEqual(expected);
    provider.respond = () => ({ body: { value: [document] } });
    expect(await documents.list('u-1')).toEqual([expected]);
    expect(provider.apiRequests().map(({ method, path }) => [method, path])).toEqual([
      ['GET', '/v2/users/u-1/documents/d-1'],
      ['GET', '/v2/users/u-1/documents'],
    ]);
  });

  test('trap 16: the answer to a deletion has documentId, which the client returns as id; it may be empty', async () => {
    const { provider, documents } = await answering({ body: { documentId: 'd-1', ...PASSPORT } });
    expect(await documents.remove('u-1', 'd-1')).toEqual({ id: 'd-1', ...PASSPORT, downloadUrl: null });
    provider.respond = () => ({ body: '' });
    expect(await documents.remove('u-1', 'd-1')).toBeNull();
    expect(provider.apiRequests()[0]).toMatchObject({ method: 'DELETE', path: '/v2/users/u-1/documents/d-1' });
  });

  test('an unlisted type is sent with a warning, a type of any version without', async () => {
    const { provider, documents, warnings } = await answering({ body: { id: 'd-1', uploadUrl: UPLOAD } });
    await documents.create('u-1', { ...PASSPORT, documentType: 'fdw' });
    await documents.create('u-1', { ...PASSPORT, documentType: 'identity_report' });
    expect(warnings).toEqual([]);
    await documents.create('u-1', { ...PASSPORT, documentType: 'driving_licence' });
    await documents.update('u-1', 'd-1', { documentType: 'identity_report' });
    expect(warnings).toHaveLength(2);
    expect(provider.apiRequests()).toHaveLength(4);
  });

  test.each<[string, object]>([
    ['documentName', { documentName: '' }],
    ['contentLength', { contentLength: 10_485_761 }],
    ['contentLength', { contentLength: 0 }],
    ['contentType', { contentType: 'png' }],
    ['name', { name: 'x' }],
  ])('an invalid %s is refused before a request is sent', async (field, wrong) => {
    const { provider, documents } = await answering({});
    await expect(documents.create('u-1', { ...PASSPORT, ...wrong })).rejects.toMatchObject({
      name: 'InvalidRequest',
      field,
    });
    expect(provider.requests).toEqual([]);
  });
});

describe('files', () => {
  test('trap 30: a file is uploaded unchanged, without any credential or storage class', async () => {
    const { provider, documents } = await answering({ body: '' });
    const uploadUrl = `${provider.baseUrl}/bucket/d?signature=s`;
    await documents.uploadFile({ uploadUrl, contentType: 'image/png', bytes: BYTES });
    const [put] = provider.requests;
    expect(put).toMatchObject({ method: 'PUT', path: '/bucket/d?signature=s' });
    expect(put?.bytes).toEqual(Buffer.from(BYTES));
    expect(Object.keys(put?.headers ?? {}).sort()).toEqual(['connection', 'content-length', 'content-type', 'host']);
    expect(provider.requests).toHaveLength(1);
  });

  test('the method and additional headers can be configured, but not headers with credentials', async () => {
    const provider = await aLocalProvider(() => ({}));
    const documentUpload = { method: 'POST', headers: { 'x-abc-acl': 'private' } } as const;
    const { documents } = aClient(provider, { documentUpload });
    await documents.uploadFile({ uploadUrl: `${provider.baseUrl}/d`, contentType: 'image/png', bytes: BYTES });
    expect(provider.requests[0]).toMatchObject({ method: 'POST', headers: { 'x-abc-acl': 'private' } });
    const make = () => aClient(provider, { documentUpload: { headers: { 'X-Api-Key': 'secret' } } });
    expect(make).toThrow('documentUpload.headers.X-Api-Key: leave it out');
  });

  test('a file is downloaded unchanged, without any credential being sent', async () => {
    const { provider, documents } = await answering({});
    provider.respond = (_, response) => {
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(BYTES);
      return undefined;
    };
    const file = await documents.downloadFile(`${provider.baseUrl}/d?signature=s`);
    expect(file?.contentType).toBe('image/png');
    expect(Buffer.from(file?.bytes ?? []).equals(BYTES)).toBe(true);
    expect(provider.requests).toHaveLength(1);
    expect(Object.keys(provider.requests[0]?.headers ?? {}).sort()).toEqual(['connection', 'host']);
  });

  test('before the upload there is no file; an expired address is refused', async () => {
    const { provider, documents } = await answering({ status: 404, body: 'NoSuchKey' });
    expect(await documents.downloadFile(`${provider.baseUrl}/d`)).toBeNull();
    provider.respond = () => ({ status: 403 });
    await expect(documents.downloadFile(`${provider.baseUrl}/d`)).rejects.toMatchObject({ kind: 'refused' });
  });

  test('with an https API, no file is read over plain http', async () => {
    const { documents } = aClient({ baseUrl: 'https://api.invalid' });
    await expect(documents.downloadFile('http://storage.invalid/d')).rejects.toMatchObject({ field: 'downloadUrl' });
    const file = { uploadUrl: 'http://storage.invalid/d', contentType: 'image/png', bytes: BYTES };
    await expect(documents.uploadFile(file)).rejects.toMatchObject({ field: 'uploadUrl' });
  });
});
