import type { FastifyRequest } from 'fastify';
import {
  type ApplicantFileFormat,
  APPLICANTS_LIMIT_BYTES,
  applicantsFieldsSchema,
  formatOf,
  FORMATS_IN_WORDS,
  supplyFieldsSchema,
} from '../../api/onboarding/submission.ts';
import { FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import type { ApplicantSubmission, CaseSupply } from '../../application/onboarding/submit-applicants.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { checkedFields, readUploadForm, type UploadedForm, type UploadFormShape, wrongField } from '../upload-form.ts';

const APPLICANTS_FORM: UploadFormShape = {
  main: {
    field: 'file',
    limitBytes: APPLICANTS_LIMIT_BYTES,
    description: 'the file of the applicants',
    defaultName: 'applicants',
  },
  filesField: 'documents',
  // One byte more is read: the check then says whose document is too large, beside everything else that is wrong.
  filesLimitBytes: FILE_LIMIT_BYTES + 1,
};

/** Throws HttpError that names the field: 400 for invalid input, 413 for what is too large. */
export async function readApplicantsForm(
  request: FastifyRequest,
  spool: SubmissionSpool,
): Promise<ApplicantSubmission> {
  const form = await readUploadForm(request, spool, APPLICANTS_FORM);
  const fields = form.fields.account === '' ? { ...form.fields, account: null } : form.fields;
  const { account, dryRun } = checkedFields(applicantsFieldsSchema, fields);
  return { ...filesOf(form), account, dryRun: dryRun === 'true' };
}

/** The same for what is supplied to a case. */
export async function readSupplyForm(request: FastifyRequest, spool: SubmissionSpool): Promise<CaseSupply> {
  const form = await readUploadForm(request, spool, APPLICANTS_FORM);
  return { ...filesOf(form), ...checkedFields(supplyFieldsSchema, form.fields) };
}

function filesOf({
  fileName,
  file,
  files,
}: UploadedForm): Pick<ApplicantSubmission, 'fileName' | 'content' | 'format' | 'files'> {
  return { fileName, content: file, format: knownFormatOf(fileName), files };
}

function knownFormatOf(fileName: string): ApplicantFileFormat {
  const format = formatOf(fileName);
  if (format === null) throw wrongField('file', `its name ${FORMATS_IN_WORDS}`);
  return format;
}
