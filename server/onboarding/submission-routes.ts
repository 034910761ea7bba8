import { json, errorsOf } from '../../api/answers.ts';
import { caseParams } from '../../api/onboarding/case.ts';
import {
  applicantsFormSchema,
  submittedApplicantsSchema,
  suppliedCaseSchema,
  supplyFormSchema,
} from '../../api/onboarding/submission.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { FORM_VALIDATOR } from '../upload-form.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { userOf } from '../users/access.ts';
import { readApplicantsForm, readSupplyForm } from './submission-form.ts';

type SubmittingApplication = Pick<Application, 'submitApplicants' | 'supplyCase'>;

/** Submits applicants, and what a case of one waits for. */
export function addApplicantRoutes(app: Api, application: SubmittingApplication, intake: UploadIntake): void {
  app.post('/cases', {
    config: { access: 'onboard', takesUploads: true },
    validatorCompiler: FORM_VALIDATOR,
    schema: {
      operationId: 'submitApplicants',
      tags: ['onboarding'],
      summary: 'Submit applicants with their documents',
      description:
        'Checks every applicant, and begins a case of each whose reference the account does not know yet: the same file sent ' +
        'again begins nothing twice. A file with a problem is refused as a whole.',
      consumes: ['multipart/form-data'],
      body: applicantsFormSchema,
      response: {
        201: json('The file was accepted.', submittedApplicantsSchema),
        ...errorsOf(400, 409, 413, 415, 422),
      },
    },
    handler: async (request, reply) => {
      const user = userOf(request);
      const outcome = await intake.receive(user.userId, async (spool) =>
        application.submitApplicants(user, await readApplicantsForm(request, spool)),
      );
      if (outcome.kind === 'refused') throw applicantsRefused(outcome.problems, outcome.problemCount);
      return reply.code(201).send(outcome);
    },
  });

  app.post('/cases/:caseId/supply', {
    config: { access: 'onboard', takesUploads: true },
    validatorCompiler: FORM_VALIDATOR,
    schema: {
      operationId: 'supplyCase',
      tags: ['onboarding'],
      summary: 'Give what a case waits for',
      description:
        'The file has only what is new: null removes an optional value (in YAML and JSON), a document replaces the one of ' +
        'its name. The mail address and the kind of account cannot change.',
      consumes: ['multipart/form-data'],
      params: caseParams,
      body: supplyFormSchema,
      response: {
        200: json('The case is prepared again.', suppliedCaseSchema),
        ...errorsOf(400, 404, 409, 413, 415, 422),
      },
    },
    handler: async (request) => {
      const user = userOf(request);
      const outcome = await intake.receive(user.userId, async (spool) =>
        application.supplyCase(user, request.params.caseId, await readSupplyForm(request, spool)),
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
