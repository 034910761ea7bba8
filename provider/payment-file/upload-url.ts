import { z } from 'zod';
import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { ProviderFailure } from '../calls/failure.ts';
import { checked } from '../calls/invalid-request.ts';
import { nonEmptyText } from '../calls/request-fields.ts';
import type { StorageHosts } from './storage-hosts.ts';
import { MAX_FILE_BYTES } from '../../domain/payment-file/supporting-file.ts';
import { requiredText } from '../calls/answer-fields.ts';

/** "10 Mb", read as decimal: a provider that means this refuses larger files. */
const SAFE_FILE_BYTES = 10_000_000;

/** Receives a warning about a request that the provider may refuse. Without personal data. */
export type OnWarning = (warning: string) => void;

export const fileSizeBytes = z
  .number('give the size in bytes')
  .int('give whole bytes')
  .min(1, 'give a file that is not empty')
  .max(MAX_FILE_BYTES, `give a file of at most ${MAX_FILE_BYTES} bytes`);

export const mediaType = z
  .string('give a media type')
  .regex(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w-]+=[\w.-]+)*$/, 'give a media type, as application/pdf');

const uploadUrlRequest = z.strictObject({
  fileName: nonEmptyText,
  contentType: mediaType.optional(),
  contentLength: fileSizeBytes.optional(),
});
export type UploadUrlRequest = z.input<typeof uploadUrlRequest>;

/** Valid for a short time, which the contract does not specify. */
export interface UploadAddress {
  uploadUrl: string;
  fileId: string;
}

const uploadAddressAnswer = z
  .looseObject({ fileId: requiredText, uploadUrl: z.url().optional(), uploadURL: z.url().optional() })
  .refine((answer) => (answer.uploadUrl ?? answer.uploadURL) !== undefined, { path: ['uploadUrl'] })
  .transform(
    ({ fileId, uploadUrl, uploadURL }): UploadAddress => ({ fileId, uploadUrl: uploadUrl ?? uploadURL ?? '' }),
  );

export function warnAboutSize(sizeBytes: number, onWarning: OnWarning | undefined): void {
  if (sizeBytes <= SAFE_FILE_BYTES) return;
  onWarning?.(`a file of ${sizeBytes} bytes is larger than ${SAFE_FILE_BYTES}: the provider may refuse it`);
}

/**
 * An address on a host that is not allowed is a refusal that names the host, so that the person who sees the row knows
 * what to do. Contract: payments 2.6, 4.4.
 */
export function createUploadUrlCall(
  api: AuthorizedCaller,
  { hosts, onWarning }: { hosts: StorageHosts; onWarning?: OnWarning | undefined },
): (request: UploadUrlRequest, options?: CallOptions) => Promise<UploadAddress> {
  return async (request, options) => {
    const body = checked('simple-payment-get-upload-url', uploadUrlRequest, request);
    warnAboutSize(body.contentLength ?? 0, onWarning);
    const given = await api.call(
      {
        operation: 'simple-payment-get-upload-url',
        method: 'POST',
        path: '/simple-payments/v1/get-upload-url',
        body,
        answer: recordOf(uploadAddressAnswer),
      },
      options,
    );
    const { refusal } = await hosts.admit(new URL(given.uploadUrl));
    if (refusal === null) return given;
    throw new ProviderFailure({
      operation: 'simple-payment-get-upload-url',
      kind: 'refused',
      reason: 'the upload address is on a host that is not allowed',
      providerCode: 'upload_address_refused',
      providerMessage: `the provider's upload address is on ${refusal}; nothing was sent there`,
    });
  };
}
