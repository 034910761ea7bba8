import type { FastifyRequest } from 'fastify';
import type { Submission } from '../../application/runs/submission.ts';
import {
  PAYMENT_FILE_LIMIT_BYTES,
  FILE_LIMIT_BYTES,
  type SubmissionFields,
  submissionFieldsSchema,
} from '../../api/runs/submission.ts';
import { checkedFields, jsonField, readUploadForm, type UploadFormShape } from '../upload-form.ts';
import type { SubmissionSpool } from './submission-spool.ts';

const SUBMISSION_FORM: UploadFormShape = {
  main: {
    field: 'file',
    limitBytes: PAYMENT_FILE_LIMIT_BYTES,
    description: 'the payment file',
    defaultName: 'payments.csv',
  },
  filesField: 'files',
  filesLimitBytes: FILE_LIMIT_BYTES,
};

/**
 * Reads a submission from a multipart form, its files into the spool, within its limits.
 * Throws HttpError that names the field: 400 for invalid input, 413 for what is too large.
 */
export async function readSubmissionForm(
  request: FastifyRequest,
  spool: SubmissionSpool,
): Promise<Omit<Submission, 'idempotencyKey'>> {
  const { fileName, file, files, fields } = await readUploadForm(request, spool, SUBMISSION_FORM);
  return { fileName, file, files, ...submissionFields(fields) };
}

function submissionFields(fields: Record<string, unknown>): SubmissionFields {
  const read = { ...fields };
  read.profile = jsonField(fields, 'profile') ?? null;
  if (read.account === '') read.account = null;
  return checkedFields(submissionFieldsSchema, read);
}
