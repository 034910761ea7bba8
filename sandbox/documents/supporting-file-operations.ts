import { z } from 'zod';
import { inData, operation } from '../http/operation.ts';
import { exactNumberIn } from '../core/json.ts';
import { id, shortText, withExample } from '../endpoints/field-types.ts';

/** Contract: payments 4.4. */
export const supportingFiles = [
  operation({
    ids: ['simple-payment-get-upload-url'],
    method: 'POST',
    path: '/simple-payments/v1/get-upload-url',
    summary: 'An upload URL for one supporting file, and the id that a payment lists it by',
    bodyOf: ({ maxFileBytes }) =>
      withExample(
        z.object({
          fileName: shortText,
          contentType: z.string().min(1).nullish(),
          contentLength: exactNumberIn({ type: 'integer', minimum: 0, maximum: maxFileBytes }).nullish(),
        }),
        { fileName: 'invoice.pdf', contentType: 'application/pdf', contentLength: 1024 },
      ),
    answer: inData(z.object({ uploadUrl: z.url(), fileId: id })),
    perform: ({ world, account, body }) => {
      const { uploadTtlMs, publicUrl } = world.options;
      const file = account.files.issue(body.fileName, world.clock.now() + uploadTtlMs);
      const base = (publicUrl ?? world.url).replace(/\/$/, '');
      return { data: { uploadUrl: `${base}${account.files.uploadPath(file)}`, fileId: file.id } };
    },
  }),
];
