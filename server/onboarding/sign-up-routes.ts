import { signUpEndpoints } from '../../api/onboarding/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { shownCase } from './shown-case.ts';

type SignUpApplication = Pick<Application, 'retryCase' | 'listSignUpPauses' | 'resumeSignUps'>;

export function addSignUpRoutes(app: Api, application: SignUpApplication): void {
  serve(app, signUpEndpoints, {
    listSignUpPauses: async ({ user }) => ({ pauses: await application.listSignUpPauses(user) }),
    resumeSignUps: ({ user, body }) => application.resumeSignUps(user, body),
    retryCase: async ({ user, params: { caseId }, request }) =>
      shownCase(request, await application.retryCase(user, caseId)),
  });
}
