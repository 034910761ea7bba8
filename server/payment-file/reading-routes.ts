import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { sheetReadingEndpoints } from '../../api/payment-file/endpoints.ts';
import { readingFieldsSchema } from '../../api/payment-file/reading.ts';
import { PAYMENT_FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import type { Application } from '../../application/create-application.ts';
import type { FileContent } from '../../application/payment-file/file-content.ts';
import type { Api } from '../api.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { serve } from '../serve.ts';
import { checkedFields, jsonField, readUploadForm, wrongField } from '../upload-form.ts';
import type { UploadIntake } from '../upload-intake.ts';

const SHEET = { fields: readingFieldsSchema, limitBytes: PAYMENT_FILE_LIMIT_BYTES };

export function addReadingRoutes(
  app: Api,
  application: Pick<Application, 'proposeSheetReading'>,
  intake: UploadIntake,
): void {
  serve(app, sheetReadingEndpoints, {
    proposeReading: async ({ user, request }) => {
      const outcome = await intake.receive(user, request, async (spool) =>
        application.proposeSheetReading(user, await readSheetForm(request, spool, SHEET)),
      );
      if (outcome.kind === 'proposed') return outcome.proposal;
      throw fileRefused(outcome.problems, outcome.problemCount, outcome.sheetNames);
    },
  });
}

/** Reads a sheet and how it is read from a multipart form. Throws HttpError that names the field. */
export async function readSheetForm<Fields extends object>(
  request: FastifyRequest,
  spool: SubmissionSpool,
  { fields: schema, limitBytes }: { fields: z.ZodType<Fields>; limitBytes: number },
): Promise<Fields & { file: FileContent }> {
  const main = { field: 'file', limitBytes, description: 'the sheet', defaultName: 'payments.csv' };
  const { file, files, fields } = await readUploadForm(request, spool, {
    main,
    filesField: 'files',
    filesLimitBytes: 0,
  });
  if (files.length > 0) throw wrongField('files', 'is not a file field here: send one file, as file');
  const profile = jsonField(fields, 'profile') ?? null;
  const reading = jsonField(fields, 'reading') ?? {};
  const account = fields['account'] === '' ? null : fields['account'];
  return { ...checkedFields(schema, { ...fields, account, profile, reading }), file };
}
