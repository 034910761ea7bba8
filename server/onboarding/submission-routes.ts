import type { FastifyRequest } from 'fastify';
import { applicantEndpoints } from '../../api/onboarding/endpoints.ts';
import {
  type ApplicantFileFormat,
  APPLICANTS_LIMIT_BYTES,
  applicantsFieldsSchema,
  formatOf,
  FORMATS_IN_WORDS,
  supplyFieldsSchema,
} from '../../api/onboarding/submission.ts';
import { FILE_LIMIT_BYTES } from '../../api/runs/submission.ts';
import type { Application } from '../../application/create-application.ts';
import type { ApplicantSubmission, CaseSupply } from '../../application/onboarding/submit-applicants.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import type { SubmissionSpool } from '../runs/submission-spool.ts';
import { serve } from '../serve.ts';
import { checkedFields, readUploadForm, type UploadedForm, type UploadFormShape, wrongField } from '../upload-form.ts';
import type { UploadIntake } from '../upload-intake.ts';

type SubmittingApplication = Pick<Application, 'submitApplicants' | 'supplyCase'>;

export function addApplicantRoutes(app: Api, application: SubmittingApplication, intake: UploadIntake): void {
  serve(app, applicantEndpoints, {
    submitApplicants: async ({ user, request }) => {
      const outcome = await intake.receive(user, request, async (spool) =>
        application.submitApplicants(user, await readApplicantsForm(request, spool)),
      );
      if (outcome.kind === 'refused') throw applicantsRefused(outcome.problems, outcome.problemCount);
      return outcome;
    },
    supplyCase: async ({ user, params: { caseId }, request }) => {
      const outcome = await intake.receive(user, request, async (spool) =>
        application.supplyCase(user, caseId, await readSupplyForm(request, spool)),
      );
      if (outcome.kind === 'refused') throw applicantsRefused(outcome.problems, outcome.problemCount);
      return outcome;
    },
  });
}

/** The problems go to the person who submitted the file, and are never logged. */
function applicantsRefused(problems: unknown[], problemCount: number): HttpError {
  const mistakes = problemCount === 1 ? '1 mistake' : `${problemCount} mistakes`;
  const message = `the file was refused, nothing was stored: it has ${mistakes}`;
  return new HttpError(422, 'applicants_refused', message, { problems, problemCount });
}

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
async function readApplicantsForm(request: FastifyRequest, spool: SubmissionSpool): Promise<ApplicantSubmission> {
  const form = await readUploadForm(request, spool, APPLICANTS_FORM);
  const fields = form.fields.account === '' ? { ...form.fields, account: null } : form.fields;
  const { account, dryRun } = checkedFields(applicantsFieldsSchema, fields);
  return { ...filesOf(form), account, dryRun: dryRun === 'true' };
}

/** The same for what is supplied to a case. */
async function readSupplyForm(request: FastifyRequest, spool: SubmissionSpool): Promise<CaseSupply> {
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
