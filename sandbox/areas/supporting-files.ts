import { z } from 'zod';
import { inData, operation } from '../http/operation.ts';
import { exactNumber } from '../json.ts';
import { invalidField } from '../refusal.ts';

/** Contract: payments 4.4. */
export const supportingFiles = [
  operation({
    ids: ['simple-payment-get-upload-url'],
    method: 'POST',
    path: '/simple-payments/v1/get-upload-url',
    summary: 'An address to upload one supporting file to, and the id by which a payment names it',
    body: z.object({
      fileName: z.string().min(1).max(255),
      contentType: z.string().min(1).nullish(),
      contentLength: exactNumber.nullish(),
    }),
    answer: inData(z.object({ uploadUrl: z.string(), fileId: z.string() })),
    perform: ({ world, account, body }) => {
      const { fileMostBytes, uploadTtlMs, publicUrl } = world.options;
      const length = body.contentLength ?? undefined;
      if (length && (length.lt(0) || length.gt(fileMostBytes))) {
        throw invalidField('contentLength', `must be from 0 to ${fileMostBytes} bytes`);
      }
      const file = account.files.issue(body.fileName, world.clock.now() + uploadTtlMs);
      const base = (publicUrl ?? world.url).replace(/\/$/, '');
      return { data: { uploadUrl: `${base}${account.files.uploadPath(file)}`, fileId: file.id } };
    },
  }),
];
