import type { FastifyRequest } from 'fastify';
import { sheetReadingEndpoints } from '../../api/payment-file/endpoints.ts';
import { readingFieldsSchema } from '../../api/payment-file/reading.ts';
import { PAYMENT_FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import type { Application } from '../../application/create-application.ts';
import type { SheetToRead } from '../../application/payment-file/sheet-reading.ts';
import type { Api } from '../api.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { serve } from '../serve.ts';
import { checkedFields, jsonField, readUploadForm, type UploadFormShape, wrongField } from '../upload-form.ts';
import type { UploadIntake } from '../upload-intake.ts';

export function addReadingRoutes(
  app: Api,
  application: Pick<Application, 'proposeSheetReading'>,
  intake: UploadIntake,
): void {
  serve(app, sheetReadingEndpoints, {
    proposeReading: async ({ user, request }) => {
      const outcome = await intake.receive(user, request, async (spool) =>
        application.proposeSheetReading(user, await readSheetForm(request, spool)),
      );
      if (outcome.kind === 'proposed') return outcome.proposal;
      throw fileRefused(outcome.problems, outcome.problemCount, outcome.sheetNames);
    },
  });
}

const SHEET_FORM: UploadFormShape = {
  main: {
    field: 'file',
    limitBytes: PAYMENT_FILE_LIMIT_BYTES,
    description: 'the sheet',
    defaultName: 'payments.csv',
  },
  filesField: 'files',
  filesLimitBytes: 0,
};

/** Reads a sheet from a multipart form. Throws HttpError that names the field. */
async function readSheetForm(request: FastifyRequest, spool: SubmissionSpool): Promise<SheetToRead> {
  const { file, files, fields } = await readUploadForm(request, spool, SHEET_FORM);
  if (files.length > 0) throw wrongField('files', 'is not a file field here: send one file, as file');
  const profile = jsonField(fields, 'profile') ?? null;
  const reading = jsonField(fields, 'reading') ?? {};
  const account = fields['account'] === '' ? null : fields['account'];
  return { file, ...checkedFields(readingFieldsSchema, { ...fields, account, profile, reading }) };
}
