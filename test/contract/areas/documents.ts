import { expect } from 'vitest';
import { asText, type Loose } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';
import { aUser } from '../users-and-companies.ts';

const FIVE_MINUTES_MS = 5 * 60_000;
const LARGEST_BYTES = 10_485_760;
const bytes = new Uint8Array([0, 255, 137, 80]);
const aPassport = { documentType: 'passport', documentName: 'passport.png' };
const refusedByStorage = (code: string) => ({ kind: 'refused', status: 403, code }) as const;

const addressIn = (answer: Loose, use: 'upload' | 'download'): string =>
  asText(answer[`${use}Url`] ?? answer[`${use}URL`]);

/** The storage's status for bytes that are sent with this method. */
async function statusOf(method: string, address: string): Promise<number> {
  const answer = await fetch(address, { method, headers: { 'content-type': 'image/png' }, body: bytes });
  await answer.arrayBuffer();
  return answer.status;
}

/** Uploads through the client if it uses the storage's method, else with a raw request. */
async function upload(context: ContractContext, userId: string, documentId: string): Promise<void> {
  const { documents } = context.client;
  const address = async (): Promise<string> => (await documents.update(userId, documentId)).uploadUrl;
  const method = context.setting('client-document-upload');
  const taken = (await statusOf(method, await address())) === 200;
  const sent = documents.uploadFile({ uploadUrl: await address(), contentType: 'image/png', bytes });
  if (taken) return sent;
  await expect(sent).rejects.toMatchObject({ kind: 'refused', operation: 'document-upload-file' });
  expect(await statusOf(method === 'PUT' ? 'POST' : 'PUT', await address())).toBe(200);
}

/** Contract: account 2.6, 4.4. */
const lifecycle: readonly ContractCase[] = [
  {
    name: 'a document is created, uploaded, read, changed, listed and deleted',
    covers: ['document-create', 'document-get', 'document-patch', 'document-list', 'document-delete'],
    calls: ['documents.create', 'documents.get', 'documents.update', 'documents.list', 'documents.remove'],
    run: async (context) => {
      const { documents } = context.client;
      const { userId } = await aUser(context);
      const more =
        context.setting('documents-variant') === 'later' ? { contentType: 'image/png', contentLength: 4 } : {};
      const created = await documents.create(userId, { ...aPassport, ...more });
      expect(created).toMatchObject(aPassport);
      const params = { userId, documentId: created.id };
      expect(await documents.get(userId, created.id)).toMatchObject({ ...aPassport, id: created.id });
      const change = { documentType: 'nric', documentName: 'nric.png' };
      expect(await documents.update(userId, created.id, change)).toMatchObject({ id: created.id, ...change });
      const awaited = await context.ask('document-patch', { params, body: {} });
      expect(awaited).toMatchObject(change);
      const spelling = context.setting('document-url-spelling');
      expect(awaited).toHaveProperty(`upload${spelling}`);
      expect(await context.ask('document-get', { params })).toHaveProperty(`download${spelling}`);
      const second = await context.ask('document-create', { params, body: aPassport });
      const listed = await context.askList('document-list', { params });
      const both = [created.id, asText(second['id'])].sort();
      expect(listed.map((each) => asText(each['id'])).sort()).toEqual(both);
      expect((await documents.list(userId)).map(({ id }) => id).sort()).toEqual(both);
      expect(await documents.remove(userId, created.id)).toMatchObject({ id: created.id, ...change });
      const deleted = { userId, documentId: asText(second['id']) };
      expect((await context.ask('document-delete', { params: deleted }))['documentId']).toBe(second['id']);
      expect(await documents.list(userId)).toEqual([]);
      const reading = documents.get(userId, created.id);
      await context.expectRefused(reading, { kind: 'refused', status: 404, code: 'not_found' });
    },
  },
  {
    name: 'a file is downloaded unchanged, and before the upload there is none',
    covers: ['document-upload-file', 'document-download-file'],
    calls: ['documents.uploadFile', 'documents.downloadFile'],
    run: async (context) => {
      const { documents } = context.client;
      const { userId } = await aUser(context);
      const { id } = await documents.create(userId, aPassport);
      const address = async (): Promise<string> => (await documents.get(userId, id)).downloadUrl ?? '';
      expect(await documents.downloadFile(await address())).toBeNull();
      await upload(context, userId, id);
      const file = await documents.downloadFile(await address());
      expect([...(file?.bytes ?? [])]).toEqual([...bytes]);
      expect(file?.contentType).toBe('image/png');
    },
  },
  {
    name: 'addresses are valid for five minutes, and a change of the document invalidates its upload address',
    covers: ['document-upload-file', 'document-download-file', 'document-patch'],
    calls: ['documents.update', 'documents.downloadFile'],
    run: async (context) => {
      const { documents } = context.client;
      const { userId } = await aUser(context);
      const { id } = await documents.create(userId, aPassport);
      await upload(context, userId, id);
      const params = { userId, documentId: id };
      const first = addressIn(await context.ask('document-patch', { params, body: {} }), 'upload');
      const second = (await documents.update(userId, id)).uploadUrl;
      const method = (await statusOf('PUT', second)) === 200 ? 'PUT' : 'POST';
      expect([await statusOf(method, first), await statusOf(method, second)]).toEqual([403, 200]);
      const download = addressIn(await context.ask('document-get', { params }), 'download');
      await context.advance(FIVE_MINUTES_MS);
      expect(await documents.downloadFile(download)).not.toBeNull();
      await context.advance(1);
      expect(await statusOf(method, second)).toBe(403);
      await expect(documents.downloadFile(download)).rejects.toMatchObject(refusedAs(refusedByStorage('url_expired')));
    },
  },
];

/** The storage has its own error format, independent of the API's. */
const refusedAs = (expected: { kind: string; status: number; code: string }) => ({
  kind: expected.kind,
  httpStatus: expected.status,
  providerCode: expected.code,
});

const refusals: readonly ContractCase[] = [
  {
    name: 'types are those of the variant, fewer in an update; the later one checks the length',
    covers: ['document-create', 'document-patch'],
    calls: ['documents.create', 'documents.update'],
    run: async (context) => {
      const { documents } = context.client;
      const { userId } = await aUser(context);
      const { id } = await documents.create(userId, aPassport);
      const later = context.setting('documents-variant') === 'later';
      const wrong = { kind: 'refused', status: 400, code: 'validation_failed', field: 'documentType' } as const;
      const outcome = async (call: Promise<unknown>, taken: boolean): Promise<void> => {
        if (taken) await call;
        else await context.expectRefused(call, wrong);
      };
      for (const documentType of ['identity_report', 'fdw']) {
        await outcome(documents.create(userId, { ...aPassport, documentType }), later);
      }
      await outcome(documents.update(userId, id, { documentType: 'fdw' }), later);
      await outcome(documents.update(userId, id, { documentType: 'ktp' }), later);
      await outcome(documents.update(userId, id, { documentType: 'identity_report' }), false);
      await outcome(documents.update(userId, id, { documentType: 'nric' }), true);
      await outcome(documents.create(userId, { ...aPassport, documentType: 'a_letter' }), false);
      const tooLong = { params: { userId }, body: { ...aPassport, contentLength: LARGEST_BYTES + 1 } };
      const { status } = await context.send('document-create', tooLong);
      expect(status).toBe(later ? 400 : 200);
    },
  },
  {
    name: 'a document without a name, of another user or larger than the limit is refused',
    covers: ['document-create', 'document-get', 'document-patch', 'document-list', 'document-delete'],
    calls: ['documents.create', 'documents.uploadFile', 'documents.get'],
    run: async (context) => {
      const { documents } = context.client;
      const { userId } = await aUser(context);
      const { id: documentId } = await documents.create(userId, aPassport);
      const wrong = { documentName: undefined, documentType: undefined };
      await context.expectFieldsRefused('document-create', { params: { userId } }, aPassport, wrong);
      await context.expectUnsent(documents.create(userId, { ...aPassport, documentName: '' }), 'documentName');
      const tooLong = documents.create(userId, { ...aPassport, contentLength: LARGEST_BYTES + 1 });
      await context.expectUnsent(tooLong, 'contentLength');
      await context.expectHidden('document-create', { userId }, aPassport);
      await context.expectHidden('document-list', { userId });
      await context.expectHidden('document-patch', { userId, documentId }, {});
      for (const id of ['document-get', 'document-delete'] as const) {
        await context.expectHidden(id, { userId, documentId });
      }
      const stranger = await aUser(context, { email: 'lee@example.com' });
      const notTheirs = documents.get(stranger.userId, documentId);
      await context.expectRefused(notTheirs, { kind: 'refused', status: 404, code: 'not_found' });
      const uploadUrl = `${context.url}/storage/documents/${documentId}?signature=guessed`;
      const guessed = documents.uploadFile({ uploadUrl, contentType: 'image/png', bytes });
      await expect(guessed).rejects.toMatchObject({ kind: 'refused' });
    },
  },
];

export const documents: Area = {
  name: 'documents',
  settings: ['documents-variant', 'document-url-spelling', 'document-upload-method', 'client-document-upload'],
  cases: [...lifecycle, ...refusals],
};
