import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import type { SpooledFile, SubmittedFile } from '../application/payment-file/file-content.ts';
import { FIELD_LIMIT_BYTES, FILE_COUNT_LIMIT, FILES_LIMIT_BYTES } from '../api/runs/submission.ts';
import { UNSAFE_CHARACTER } from '../domain/unsafe-characters.ts';
import { HttpError } from './http-error.ts';
import { hasNul } from './nul-characters.ts';
import type { SubmissionSpool } from './runs/submission-spool.ts';

/** A form of one file, the files that it names, and fields. */
export interface UploadFormShape {
  main: {
    field: string;
    limitBytes: number;
    /** Completes “send … in this field”. */
    description: string;
    /** For a file that was sent without a name. */
    defaultName: string;
  };
  /** The field of the files that it names. */
  filesField: string;
  /** Of each of these files. */
  filesLimitBytes: number;
}

/** For a route whose form is read part by part: the reader checks its fields, the framework the address. */
export const FORM_VALIDATOR: FastifySchemaCompiler<unknown> = (route) =>
  route.httpPart === 'body'
    ? (value: unknown) => ({ value })
    : validatorCompiler(route as Parameters<typeof validatorCompiler>[0]);

export interface UploadedForm {
  fileName: string;
  file: SpooledFile;
  files: SubmittedFile[];
  /** As they were sent. */
  fields: Record<string, unknown>;
}

interface PartialForm {
  shape: UploadFormShape;
  spool: SubmissionSpool;
  main: { fileName: string; file: SpooledFile } | null;
  files: SubmittedFile[];
  filesBytes: number;
  fields: Record<string, unknown>;
  /** The first error. The rest of the form is read and discarded, so that the sender receives the answer. */
  error: HttpError | null;
}

/**
 * Reads a multipart form, its files into the spool, within its limits.
 * Throws HttpError that names the field: 400 for invalid input, 413 for what is too large, 415 for another kind of body.
 */
export async function readUploadForm(
  request: FastifyRequest,
  spool: SubmissionSpool,
  shape: UploadFormShape,
): Promise<UploadedForm> {
  requireForm(request, shape);
  const form: PartialForm = { shape, spool, main: null, files: [], filesBytes: 0, fields: {}, error: null };
  const fileSize = Math.max(shape.main.limitBytes, shape.filesLimitBytes);
  const limits = { fileSize, files: FILE_COUNT_LIMIT + 1, fields: 16, fieldSize: FIELD_LIMIT_BYTES };
  const parts = request.parts({ limits: { ...limits, parts: FILE_COUNT_LIMIT + 17 } });
  try {
    for await (const part of parts) {
      if (part.type === 'file') await takeFile(form, part);
      else if (part.valueTruncated) form.error ??= tooLarge(part.fieldname, FIELD_LIMIT_BYTES);
      else takeField(form, part.fieldname, part.value);
    }
  } catch (error) {
    // The framework's errors have a status, those of the form reader have none.
    if (error instanceof HttpError || (error instanceof Error && 'statusCode' in error)) throw error;
    throw wrongField('form', 'breaks off or is malformed: send it again');
  }
  if (form.error !== null) throw form.error;
  spool.check();
  if (form.main === null) {
    throw wrongField(shape.main.field, `is missing: send ${shape.main.description} in this field`);
  }
  return { ...form.main, files: form.files, fields: form.fields };
}

function requireForm(request: FastifyRequest, { main }: UploadFormShape): void {
  if (request.isMultipart()) return;
  const message = `send ${main.description} as multipart/form-data, in a field ${main.field}`;
  throw new HttpError(415, 'unsupported_media_type', message);
}

interface FilePart {
  fieldname: string;
  filename: string;
  file: AsyncIterable<Buffer> & { truncated: boolean };
}

/** As long as file systems allow. The names of other files must be in a cell, which has a limit of its own. */
const MAX_FILE_NAME = 255;
const HAS_NUL = 'must not contain the character NUL';

async function takeFile(form: PartialForm, part: FilePart): Promise<void> {
  const { main, filesField, filesLimitBytes } = form.shape;
  const isMain = part.fieldname === main.field;
  const limitBytes = isMain ? main.limitBytes : filesLimitBytes;
  const file = await form.spool.add(part.file, (sizeBytes) => {
    if (sizeBytes > limitBytes) {
      form.error ??= tooLarge(isMain ? main.field : `${filesField} "${part.filename}"`, limitBytes);
    }
    return form.error === null;
  });
  if (UNSAFE_CHARACTER.test(part.filename)) {
    form.error ??= wrongField(part.fieldname, 'the name of a file must not contain control or invisible characters');
  }
  if (part.file.truncated) form.error ??= tooLarge(part.fieldname, limitBytes);
  if (isMain) takeMain(form, part.filename, file);
  else takeNamedFile(form, part, file);
}

function takeMain(form: PartialForm, fileName: string, file: SpooledFile): void {
  const { field, defaultName } = form.shape.main;
  if (fileName.length > MAX_FILE_NAME) {
    form.error ??= wrongField(field, `has a name of more than ${MAX_FILE_NAME} characters`);
  }
  if (form.main !== null) form.error ??= wrongField(field, 'is there twice: one submission is one such file');
  form.main = { fileName: fileName === '' ? defaultName : fileName, file };
}

function takeNamedFile(form: PartialForm, part: FilePart, file: SpooledFile): void {
  const { main, filesField } = form.shape;
  if (part.fieldname !== filesField) {
    form.error ??= wrongField(part.fieldname, `is not a file field: use ${main.field} and ${filesField}`);
  }
  if (part.filename === '') form.error ??= wrongField(filesField, 'contains a file without a name');
  if (form.files.some(({ name }) => name === part.filename)) {
    form.error ??= wrongField(`${filesField} "${part.filename}"`, 'is there twice: give each file a name of its own');
  }
  form.filesBytes += file.sizeBytes;
  if (form.filesBytes > FILES_LIMIT_BYTES) form.error ??= tooLarge(`${filesField}, all together,`, FILES_LIMIT_BYTES);
  if (form.error !== null) return;
  form.files.push({ name: part.filename, bytes: file });
}

function takeField(form: PartialForm, name: string, value: unknown): void {
  const { main, filesField } = form.shape;
  if (name === main.field || name === filesField) {
    form.error ??= wrongField(name, 'must be sent as a file, with a file name');
  } else if (Object.hasOwn(form.fields, name)) {
    form.error ??= wrongField(name, 'is there twice');
  } else {
    form.fields[name] = value;
  }
}

/** The fields as their schema describes them. Throws HttpError (400) that names every wrong one. */
export function checkedFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: Record<string, unknown>,
): z.output<Schema> {
  const wrong = Object.entries(fields).find((field) => hasNul(field));
  if (wrong !== undefined) throw wrongField(wrong[0].replaceAll('\0', ''), HAS_NUL);
  const checked = schema.safeParse(fields);
  if (checked.success) return checked.data;
  const wrongFields = checked.error.issues.map(({ path, message }) => ({
    field: path.length === 0 ? 'form' : path.join('.'),
    problem: message,
  }));
  const message = wrongFields.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  throw new HttpError(400, 'invalid_input', message, { fields: wrongFields });
}

export function wrongField(field: string, problem: string): HttpError {
  return new HttpError(400, 'invalid_input', `${field}: ${problem}`);
}

function tooLarge(field: string, limitBytes: number): HttpError {
  return new HttpError(413, 'too_large', `${field} is larger than ${limitBytes} bytes`);
}

/** A field that holds JSON. Undefined: it was not sent, or is empty. Throws HttpError that names the field. */
export function jsonField(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = fields[name];
  if (value === undefined || value === '' || typeof value !== 'string') return undefined;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    throw wrongField(name, 'is not JSON');
  }
}
