import { request } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { ProviderClientOptions } from '../../provider/client.ts';
import { createStorageHosts } from '../../provider/payment-file/storage-hosts.ts';
import { AUTHENTICATE, aClient, aLocalProvider } from './local-provider.ts';

const PDF = { contentType: 'application/pdf', bytes: new Uint8Array([37, 80, 68, 70]) };
const PUBLIC_API = { baseUrl: 'https://api.invalid' };
const at = (address: string): string => `${address}/f?X-Abc-Signature=s`;

/** The failure of an upload to the address. An allowed one fails too, since there is no server. */
async function upload(
  address: string,
  options: Partial<ProviderClientOptions> = {},
  api = PUBLIC_API,
): Promise<unknown> {
  const { simplePayments } = aClient(api, options);
  return simplePayments.uploadFile({ uploadUrl: at(address), ...PDF }).catch((error: unknown) => error);
}

describe('with configured upload hosts', () => {
  const uploadHosts = ['files.invalid', '*.storage.invalid'];

  test.each([
    'https://files.invalid',
    'https://FILES.invalid:8443',
    'https://a.storage.invalid',
    'https://a.b.storage.invalid',
  ])('a file can be sent to %s', async (address) =>
    expect(await upload(address, { uploadHosts })).toMatchObject({ kind: 'not_sent' }),
  );

  test.each([
    'https://other.invalid',
    'https://files.invalid.evil.invalid',
    'https://evil-files.invalid',
    'https://storage.invalid',
    'https://evilstorage.invalid',
    'https://files.invalid@evil.invalid',
    'https://127.0.0.1',
  ])('nothing is sent to %s', async (address) => {
    const refused = await upload(address, { uploadHosts });
    expect(refused).toMatchObject({ name: 'InvalidRequest', field: 'uploadUrl' });
    expect(String(refused)).toContain('is not among PAYRUN_PROVIDER_UPLOAD_HOSTS');
  });

  test('a configured host in the private network can receive files', async () => {
    const storage = await aLocalProvider(() => ({}));
    const options = { uploadHosts: ['127.0.0.1'] };
    expect(await upload(storage.baseUrl, options)).toBeUndefined();
    expect(storage.requests).toHaveLength(1);
  });
});

describe('without configured upload hosts', () => {
  test.each([
    'https://127.0.0.1',
    'https://localhost',
    'https://[::1]',
    'https://10.1.2.3',
    'https://172.16.0.1',
    'https://192.168.0.1',
    'https://169.254.169.254',
    'https://100.64.0.1',
    'https://0.0.0.0',
    'https://[fe80::1]',
    'https://[fd00::1]',
    'https://[::ffff:10.1.2.3]',
    'https://2130706433',
  ])('nothing is sent to %s if the provider is on a public host', async (address) => {
    const refused = await upload(address);
    expect(refused).toMatchObject({ name: 'InvalidRequest', field: 'uploadUrl' });
    expect(String(refused)).toContain('leads into a private network');
  });

  test('a provider on this machine can have its storage on this machine', async () => {
    const storage = await aLocalProvider(() => ({}));
    expect(await upload(storage.baseUrl, {}, storage)).toBeUndefined();
  });

  test('a file can be sent to any public host, over https only', async () => {
    expect(await upload('https://storage.invalid')).toMatchObject({ kind: 'not_sent' });
    const refused = await upload('http://storage.invalid');
    expect(refused).toMatchObject({ name: 'InvalidRequest', field: 'uploadUrl' });
    expect(String(refused)).toContain('PAYRUN_ALLOW_PLAINTEXT');
    const api = { baseUrl: 'http://api.invalid' };
    const onlyApi: Partial<ProviderClientOptions> = { allowPlaintext: ['provider'] };
    expect(await upload('http://storage.invalid', onlyApi, api)).toMatchObject({ name: 'InvalidRequest' });
    expect(await upload('http://storage.invalid', { allowPlaintext: ['uploads'] })).toMatchObject({ kind: 'not_sent' });
  });
});

test('the same rules apply to the addresses of documents', async () => {
  const { documents } = aClient(PUBLIC_API, { uploadHosts: ['files.invalid'] });
  const sent = documents.uploadFile({ uploadUrl: at('https://other.invalid'), ...PDF });
  await expect(sent).rejects.toMatchObject({ name: 'InvalidRequest', field: 'uploadUrl' });
  const fetched = documents.downloadFile(at('https://other.invalid'));
  await expect(fetched).rejects.toMatchObject({ name: 'InvalidRequest', field: 'downloadUrl' });
});

test('an upload address on another host is refused as soon as the provider returns it', async () => {
  const uploadUrl = at('https://other.invalid');
  const provider = await aLocalProvider(({ path }) =>
    path === AUTHENTICATE ? undefined : { body: { data: { uploadUrl, fileId: 'f-1' } } },
  );
  const { simplePayments } = aClient(provider, { uploadHosts: ['files.invalid'] });
  await expect(simplePayments.uploadUrl({ fileName: 'invoice.pdf' })).rejects.toMatchObject({
    name: 'ProviderFailure',
    kind: 'refused',
    providerCode: 'upload_address_refused',
    providerMessage:
      "the provider's upload address is on other.invalid, which is not among PAYRUN_PROVIDER_UPLOAD_HOSTS; nothing was sent there",
  });
});

describe('a name is judged by the addresses that it resolves to', () => {
  const book: Record<string, string[]> = {
    'files.example': ['93.184.215.14'],
    'inside.example': ['93.184.215.14', '10.0.0.7'],
    'api.inside.example': ['10.0.0.8'],
  };
  const hostsOf = (api: string) =>
    createStorageHosts({
      base: new URL(api),
      names: undefined,
      plaintextAllowed: false,
      resolve: (name) =>
        Promise.resolve((book[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
    });

  test.each([
    ['https://files.example/f', 'https://api.example', null],
    ['https://inside.example/f', 'https://api.example', 'inside.example, which leads into a private network'],
    ['https://inside.example/f', 'https://api.inside.example', null],
    ['https://inside.example/f', 'https://192.168.1.1', null],
  ])('%s of a provider at %s', async (address, api, refusal) => {
    const admitted = await hostsOf(api).admit(new URL(address));
    if (refusal === null) expect(admitted.refusal).toBeNull();
    else expect(admitted.refusal).toContain(refusal);
  });

  test('the connection uses the checked addresses, even if the name resolves to others by then', async () => {
    const storage = await aLocalProvider(() => ({}));
    const { port } = new URL(storage.baseUrl);
    book['moving.example'] = ['127.0.0.1'];
    const admitted = await hostsOf('https://127.0.0.1').admit(new URL('https://moving.example'));
    book['moving.example'] = ['203.0.113.1'];
    if (admitted.refusal !== null || admitted.lookup === undefined) throw new Error('it was not looked up');
    const { lookup } = admitted;
    const status = await new Promise((resolve, reject) => {
      request({ host: 'moving.example', port, lookup }, (answer) => resolve(answer.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });

  test('a name that does not resolve is not resolved again for the connection', async () => {
    const admitted = await hostsOf('https://api.example').admit(new URL('https://nobody.example'));
    expect(admitted.refusal).toBeNull();
    const refused = new Promise((resolve) => {
      if (admitted.refusal === null) admitted.lookup?.('nobody.example', {}, resolve);
    });
    expect(await refused).toBeInstanceOf(Error);
  });
});
