import type { FastifyRequest } from 'fastify';
import { draftFileFieldsSchema } from '../../api/payment-file/draft.ts';
import { FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import type { NewDraftFile } from '../../application/payment-file/drafts.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { checkedFields, readUploadForm, type UploadFormShape, wrongField } from '../upload-form.ts';

const DRAFT_FILE_FORM: UploadFormShape = {
  main: {
    field: 'file',
    limitBytes: FILE_LIMIT_BYTES,
    description: 'the supporting file',
    defaultName: '',
  },
  filesField: 'files',
  filesLimitBytes: FILE_LIMIT_BYTES,
};

/** Reads a supporting file for a draft from a multipart form. Throws HttpError that names the field. */
export async function readDraftFileForm(request: FastifyRequest, spool: SubmissionSpool): Promise<NewDraftFile> {
  const { fileName, file, files, fields } = await readUploadForm(request, spool, DRAFT_FILE_FORM);
  if (files.length > 0) throw wrongField('files', 'is not a file field here: send one file, as file');
  if (fileName === '') throw wrongField('file', 'has no name, by which rows could mention it');
  return { ...checkedFields(draftFileFieldsSchema, fields), file: { name: fileName, bytes: file } };
}
