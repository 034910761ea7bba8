import { applicantEndpoints } from '../../api/onboarding/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { HttpError } from '../http-error.ts';
import { serve } from '../serve.ts';
import type { UploadIntake } from '../upload-intake.ts';
import { readApplicantsForm, readSupplyForm } from './submission-form.ts';

type SubmittingApplication = Pick<Application, 'submitApplicants' | 'supplyCase'>;

export function addApplicantRoutes(app: Api, application: SubmittingApplication, intake: UploadIntake): void {
  serve(app, applicantEndpoints, {
    submitApplicants: async ({ user, request }) => {
      const outcome = await intake.receive(user.userId, async (spool) =>
        application.submitApplicants(user, await readApplicantsForm(request, spool)),
      );
      if (outcome.kind === 'refused') throw applicantsRefused(outcome.problems, outcome.problemCount);
      return outcome;
    },
    supplyCase: async ({ user, params: { caseId }, request }) => {
      const outcome = await intake.receive(user.userId, async (spool) =>
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
