import { describe, expect, test } from 'vitest';
import { aTestAuthority } from '../helpers/certificates.ts';
import { AUTHENTICATE, aClient, aLocalProvider, type Responder } from './local-provider.ts';

const PDF = { contentType: 'application/pdf', bytes: new Uint8Array([37, 80, 68, 70]) };
const pairs: Responder = ({ path }) => (path === AUTHENTICATE ? undefined : { body: ['USDSGD'] });

describe('a provider with a certificate of a private authority', () => {
  test('is trusted only with that authority', async () => {
    const [own, other] = [aTestAuthority(), aTestAuthority()];
    const provider = await aLocalProvider(pairs, own.server);
    expect(await aClient(provider, { authorities: own.pem }).currencies.pairs()).toEqual(['USDSGD']);
    const received = provider.requests.length;
    for (const wrong of [{ authorities: other.pem }, {}]) {
      await expect(aClient(provider, wrong).currencies.pairs()).rejects.toMatchObject({ kind: 'not_sent' });
    }
    expect(provider.requests).toHaveLength(received);
  });

  test('files are sent only to a storage with a certificate of that authority', async () => {
    const [own, other] = [aTestAuthority(), aTestAuthority()];
    const storage = await aLocalProvider(() => ({}), own.server);
    const file = { uploadUrl: `${storage.baseUrl}/f?X-Abc-Signature=s`, ...PDF };
    await aClient(storage, { authorities: own.pem }).simplePayments.uploadFile(file);
    expect(storage.requests).toHaveLength(1);
    const wrong = aClient(storage, { authorities: other.pem }).simplePayments.uploadFile(file);
    await expect(wrong).rejects.toMatchObject({ kind: 'not_sent' });
    expect(storage.requests).toHaveLength(1);
  });
});

describe('without encryption', () => {
  test.each(['http://provider.invalid', 'http://10.0.0.1:8080', 'http://127.0.0.1.evil.invalid'])(
    'nothing is sent to a provider at %s',
    (baseUrl) => {
      expect(() => aClient({ baseUrl })).toThrow(
        'account default: baseUrl: give an https address: credentials must not travel unencrypted',
      );
      expect(() => aClient({ baseUrl }, { allowPlaintext: ['uploads'] })).toThrow(RangeError);
      expect(() => aClient({ baseUrl }, { allowPlaintext: ['provider'] })).not.toThrow();
    },
  );

  test.each(['http://localhost:1', 'http://127.8.9.1:1', 'http://[::1]:1'])(
    'a provider at %s is this machine',
    (baseUrl) => expect(() => aClient({ baseUrl })).not.toThrow(),
  );
});
