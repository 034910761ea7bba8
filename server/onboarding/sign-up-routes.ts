import { json, errorsOf } from '../../api/answers.ts';
import { caseDetailSchema } from '../../api/onboarding/case-detail.ts';
import { caseParams } from '../../api/onboarding/case.ts';
import {
  resumedSignUpsSchema,
  signUpPausesSchema,
  signUpResumptionSchema,
} from '../../api/onboarding/sign-up-pause.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';
import { shownCase } from './shown-case.ts';

type SignUpApplication = Pick<Application, 'retryCase' | 'listSignUpPauses' | 'resumeSignUps'>;

/** Refused sign-ups: those that are tried again, and pauses after many of them. */
export function addSignUpRoutes(app: Api, application: SignUpApplication): void {
  app.get('/sign-ups/pauses', {
    config: { access: 'read_cases' },
    schema: {
      operationId: 'listSignUpPauses',
      tags: ['onboarding'],
      summary: 'Accounts whose sign-ups are paused, since the last ones were all refused with the same answer',
      response: { 200: json('The pauses in force.', signUpPausesSchema), ...errorsOf() },
    },
    handler: async (request) => ({ pauses: await application.listSignUpPauses(userOf(request)) }),
  });

  app.post('/sign-ups/resume', {
    config: { access: 'onboard' },
    schema: {
      operationId: 'resumeSignUps',
      tags: ['onboarding'],
      summary: 'Let the sign-ups of an account go on',
      body: signUpResumptionSchema,
      response: { 200: json('What is tried again.', resumedSignUpsSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.resumeSignUps(userOf(request), request.body),
  });

  app.post('/cases/:caseId/retry', {
    config: { access: 'onboard' },
    schema: {
      operationId: 'retryCase',
      tags: ['onboarding'],
      summary: 'Have a refused sign-up tried again, with what was submitted',
      params: caseParams,
      response: { 200: json('The case afterwards.', caseDetailSchema), ...errorsOf(400, 404, 409) },
    },
    handler: async (request) => shownCase(request, await application.retryCase(userOf(request), request.params.caseId)),
  });
}
