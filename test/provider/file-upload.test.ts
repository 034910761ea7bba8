import { describe, expect, test } from 'vitest';
import { storagePrefixOf } from '../../provider/payment-file/file-upload.ts';
import { AUTHENTICATE, aClient, aLocalProvider } from './local-provider.ts';

const PDF = { contentType: 'application/pdf', bytes: new Uint8Array([0, 255, 37, 80, 68, 70]) };

describe('upload', () => {
  test.each([['uploadUrl'], ['uploadURL']])('the address is read from %s', async (name) => {
    const provider = await aLocalProvider(({ path }) =>
      path === AUTHENTICATE
        ? undefined
        : { body: { data: { [name]: 'https://storage.invalid/f?X-Abc-Signature=s', fileId: 'f-1' } } },
    );
    const request = { fileName: 'invoice.pdf', contentType: 'application/pdf', contentLength: 6 };
    expect(await aClient(provider).simplePayments.uploadUrl(request)).toEqual({
      uploadUrl: 'https://storage.invalid/f?X-Abc-Signature=s',
      fileId: 'f-1',
    });
    expect(JSON.parse(provider.apiRequests()[0]!.body)).toEqual(request);
  });

  test('trap 30: the bytes are sent to the address unchanged, without any credential', async () => {
    const provider = await aLocalProvider(() => ({ body: '' }));
    const uploadUrl = `${provider.baseUrl}/bucket/f?X-Abc-SignedHeaders=content-type&X-Abc-Signature=s`;
    await aClient(provider).simplePayments.uploadFile({ uploadUrl, ...PDF });
    expect(provider.requests).toHaveLength(1);
    const [put] = provider.requests;
    expect(put).toMatchObject({ method: 'PUT', path: '/bucket/f?X-Abc-SignedHeaders=content-type&X-Abc-Signature=s' });
    expect(put?.bytes).toEqual(Buffer.from(PDF.bytes));
    expect(put?.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-abc-storage-class': 'STANDARD' });
    expect(put?.headers).not.toHaveProperty('authorization');
    expect(put?.headers).not.toHaveProperty('x-api-key');
  });

  test('a redirect is not followed', async () => {
    const elsewhere = await aLocalProvider(() => ({}));
    const provider = await aLocalProvider(() => ({ status: 307, headers: { Location: elsewhere.baseUrl } }));
    const uploadUrl = `${provider.baseUrl}/f?X-Abc-Signature=s`;
    await expect(aClient(provider).simplePayments.uploadFile({ uploadUrl, ...PDF })).rejects.toMatchObject({
      kind: 'unknown_outcome',
      httpStatus: 307,
    });
    expect(elsewhere.requests).toEqual([]);
  });

  test('a file of 10 MiB is sent with a warning, one byte more is refused', async () => {
    const warnings: string[] = [];
    const provider = await aLocalProvider(() => ({}));
    const client = aClient(provider, { onWarning: (warning) => warnings.push(warning) });
    const uploadUrl = `${provider.baseUrl}/f?X-Abc-Signature=s`;
    await client.simplePayments.uploadFile({ uploadUrl, ...PDF, bytes: new Uint8Array(10_485_760) });
    expect(warnings).toHaveLength(1);
    const tooLarge = client.simplePayments.uploadFile({ uploadUrl, ...PDF, bytes: new Uint8Array(10_485_761) });
    await expect(tooLarge).rejects.toThrow('at most 10485760 bytes');
    const announced = client.simplePayments.uploadUrl({ fileName: 'a.pdf', contentLength: 10_485_761 });
    await expect(announced).rejects.toMatchObject({ name: 'InvalidRequest', field: 'contentLength' });
    expect(provider.requests).toHaveLength(1);
  });

  test('with an https API, no file is sent to a plain http address', async () => {
    const client = aClient({ baseUrl: 'https://api.invalid' });
    const uploadUrl = 'http://storage.invalid/f?X-Abc-Signature=s';
    await expect(client.simplePayments.uploadFile({ uploadUrl, ...PDF })).rejects.toMatchObject({ field: 'uploadUrl' });
  });

  test('an address that does not show its storage provider needs a configured one', async () => {
    const provider = await aLocalProvider(() => ({}));
    const file = { uploadUrl: `${provider.baseUrl}/f?token=s`, ...PDF };
    await expect(aClient(provider).simplePayments.uploadFile(file)).rejects.toThrow('configure storagePrefix');
    await aClient(provider, { storagePrefix: 'xyz' }).simplePayments.uploadFile(file);
    expect(provider.requests[0]?.headers).toHaveProperty('x-xyz-storage-class', 'STANDARD');
  });
});

test.each([
  ['https://s.invalid/f?X-Abc-Signature=1', 'abc'],
  ['https://s.invalid/f?X-Abc-SignedHeaders=host%3Bx-def-storage-class', 'def'],
  ['https://s.invalid/f?signature=1', null],
])('the storage provider of %s', (address, prefix) => {
  expect(storagePrefixOf(new URL(address))).toBe(prefix);
});
