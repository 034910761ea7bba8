import type { FastifyRequest } from 'fastify';
import type { Submission, SubmittedFile } from '../../application/application-api.ts';
import type { SpooledFile } from '../../application/payment-file/file-content.ts';
import { HttpError } from '../http-error.ts';
import type { SubmissionFields } from '../../api/runs/submission.ts';
import {
  CSV_LIMIT_BYTES,
  FIELD_LIMIT_BYTES,
  FILE_COUNT_LIMIT,
  FILE_LIMIT_BYTES,
  FILES_LIMIT_BYTES,
  submissionFieldsSchema,
} from '../../api/runs/submission.ts';
import type { SubmissionSpool } from './submission-spool.ts';

interface PartialForm {
  spool: SubmissionSpool;
  csv: { fileName: string; file: SpooledFile } | null;
  files: SubmittedFile[];
  filesBytes: number;
  fields: Record<string, unknown>;
  /** The first error. The rest of the form is read and discarded, so that the sender receives the answer. */
  error: HttpError | null;
}

/**
 * Reads a submission from a multipart form, its files into the spool, within its limits.
 * Throws HttpError that names the field: 400 for invalid input, 413 for what is too large.
 */
export async function readSubmissionForm(
  request: FastifyRequest,
  spool: SubmissionSpool,
): Promise<Omit<Submission, 'idempotencyKey'>> {
  const form: PartialForm = { spool, csv: null, files: [], filesBytes: 0, fields: {}, error: null };
  const limits = { fileSize: CSV_LIMIT_BYTES, files: FILE_COUNT_LIMIT + 1, fields: 16, fieldSize: FIELD_LIMIT_BYTES };
  const parts = request.parts({ limits: { ...limits, parts: FILE_COUNT_LIMIT + 17 } });
  try {
    for await (const part of parts) {
      if (part.type === 'file') await takeFile(form, part);
      else if (part.valueTruncated) form.error ??= tooLarge(part.fieldname, FIELD_LIMIT_BYTES);
      else takeField(form, part.fieldname, part.value);
    }
  } catch (error) {
    // The framework's errors have a status, those of the form reader have none.
    if (error instanceof Error && 'statusCode' in error) throw error;
    throw wrong('form', 'breaks off or is malformed: send it again');
  }
  if (form.error !== null) throw form.error;
  spool.check();
  if (form.csv === null) throw wrong('csv', 'is missing: send the payment file in this field');
  const { file, fileName } = form.csv;
  return { fileName, csv: file, files: form.files, ...checkedFields(form.fields) };
}

interface FilePart {
  fieldname: string;
  filename: string;
  file: AsyncIterable<Buffer> & { truncated: boolean };
}

async function takeFile(form: PartialForm, part: FilePart): Promise<void> {
  const isCsv = part.fieldname === 'csv';
  const limitBytes = isCsv ? CSV_LIMIT_BYTES : FILE_LIMIT_BYTES;
  const file = await form.spool.add(part.file, (sizeBytes) => {
    if (sizeBytes > limitBytes) form.error ??= tooLarge(isCsv ? 'csv' : `files "${part.filename}"`, limitBytes);
    return form.error === null;
  });
  if (part.file.truncated) form.error ??= tooLarge(part.fieldname, limitBytes);
  if (isCsv) takeCsv(form, part.filename, file);
  else takeSupportingFile(form, part, file);
}

function takeCsv(form: PartialForm, fileName: string, file: SpooledFile): void {
  if (form.csv !== null) form.error ??= wrong('csv', 'is there twice: one submission is one payment file');
  form.csv = { fileName: fileName === '' ? 'payments.csv' : fileName, file };
}

function takeSupportingFile(form: PartialForm, part: FilePart, file: SpooledFile): void {
  if (part.fieldname !== 'files') form.error ??= wrong(part.fieldname, 'is not a file field: use csv and files');
  if (part.filename === '') form.error ??= wrong('files', 'contains a file without a name');
  if (form.files.some(({ name }) => name === part.filename)) {
    form.error ??= wrong(`files "${part.filename}"`, 'is there twice: rows could not say which one they mean');
  }
  form.filesBytes += file.sizeBytes;
  if (form.filesBytes > FILES_LIMIT_BYTES) form.error ??= tooLarge('files, all together,', FILES_LIMIT_BYTES);
  if (form.error !== null) return;
  form.files.push({ name: part.filename, bytes: file });
}

function takeField(form: PartialForm, name: string, value: unknown): void {
  if (name === 'csv' || name === 'files') {
    form.error ??= wrong(name, 'must be sent as a file, with a file name');
  } else if (Object.hasOwn(form.fields, name)) {
    form.error ??= wrong(name, 'is there twice');
  } else {
    form.fields[name] = value;
  }
}

function checkedFields(fields: Record<string, unknown>): SubmissionFields {
  const read = { ...fields };
  for (const name of ['defaults', 'mapping']) {
    const value = read[name];
    if (value === '') read[name] = undefined;
    else if (typeof value === 'string') read[name] = parsedJson(name, value);
  }
  if (read.account === '') read.account = null;
  const checked = submissionFieldsSchema.safeParse(read);
  if (checked.success) return checked.data;
  const wrongFields = checked.error.issues.map(({ path, message }) => ({
    field: path.length === 0 ? 'form' : path.join('.'),
    problem: message,
  }));
  const message = wrongFields.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  throw new HttpError(400, 'invalid_input', message, { fields: wrongFields });
}

function parsedJson(name: string, value: string): unknown {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw wrong(name, 'is not JSON: send an object such as {"sell_currency":"SGD"}');
  }
}

function wrong(field: string, problem: string): HttpError {
  return new HttpError(400, 'invalid_input', `${field}: ${problem}`);
}

function tooLarge(field: string, limitBytes: number): HttpError {
  return new HttpError(413, 'too_large', `${field} is larger than ${limitBytes} bytes`);
}
