import { expect } from 'vitest';
import { asText } from '../../sandbox/a-sandbox.ts';
import type { Area, ContractCase } from '../contract-case.ts';
import type { ContractContext } from '../contract-context.ts';

const LARGEST_BYTES = 10_485_760;
const bytes = Buffer.from('an invoice');
const anAnnouncement = { fileName: 'invoice.pdf', contentType: 'application/pdf', contentLength: bytes.length };

/** Whether the client uses the storage name of the sandbox. */
const isNamedRightly = (context: ContractContext): boolean =>
  context.setting('client-storage-prefix') === 'from-the-address' ||
  context.setting('client-storage-prefix') === context.setting('storage-prefix');

/** Contract: payments 2.6, 4.4. */
const cases: readonly ContractCase[] = [
  {
    name: 'a file is uploaded with the storage class of its storage, and without credentials',
    covers: ['simple-payment-get-upload-url', 'simple-payment-upload-file'],
    calls: ['simplePayments.uploadUrl', 'simplePayments.uploadFile'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const { uploadUrl, fileId } = await simplePayments.uploadUrl(anAnnouncement);
      expect(fileId).not.toBe('');
      const upload = simplePayments.uploadFile({ uploadUrl, contentType: 'application/pdf', bytes });
      if (isNamedRightly(context)) await upload;
      else await expect(upload).rejects.toMatchObject({ kind: 'refused', providerCode: 'missing_storage_class' });
      expect(context.ledger().credentialLeaks).toBe(0);
    },
  },
  {
    name: 'an address is valid for five minutes, unchanged, and for a file within the limit',
    covers: ['simple-payment-get-upload-url', 'simple-payment-upload-file'],
    calls: ['simplePayments.uploadFile'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const file = { contentType: 'application/pdf', bytes };
      const address = asText(
        (await context.ask('simple-payment-get-upload-url', { body: anAnnouncement }))['uploadUrl'],
      );
      const forged = simplePayments.uploadFile({
        ...file,
        uploadUrl: address.replace(/Signature=[^&]+/, 'Signature=x'),
      });
      await expect(forged).rejects.toMatchObject({ kind: 'refused', httpStatus: 403, providerCode: 'url_invalid' });
      const tooLarge = { ...file, bytes: new Uint8Array(LARGEST_BYTES + 1), uploadUrl: address };
      await expect(simplePayments.uploadFile(tooLarge)).rejects.toMatchObject({ name: 'InvalidRequest' });
      await context.advance(5 * 60_000 + 1);
      const late = simplePayments.uploadFile({ ...file, uploadUrl: address });
      await expect(late).rejects.toMatchObject({ kind: 'refused', httpStatus: 403, providerCode: 'url_expired' });
    },
  },
  {
    name: 'a file without a name, or with a length above the limit, gets no address',
    covers: ['simple-payment-get-upload-url'],
    calls: ['simplePayments.uploadUrl'],
    run: async (context) => {
      const { simplePayments } = context.client;
      const wrong = { fileName: undefined, contentLength: LARGEST_BYTES + 1 };
      await context.expectFieldsRefused('simple-payment-get-upload-url', {}, anAnnouncement, wrong);
      await context.expectUnsent(simplePayments.uploadUrl({ ...anAnnouncement, fileName: ' ' }), 'fileName');
      const tooLarge = simplePayments.uploadUrl({ ...anAnnouncement, contentLength: LARGEST_BYTES + 1 });
      await context.expectUnsent(tooLarge, 'contentLength');
    },
  },
];

export const supportingFiles: Area = {
  name: 'supporting files',
  settings: ['storage-prefix', 'client-storage-prefix'],
  cases,
};
