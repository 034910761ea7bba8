import { caseResolutionEndpoints } from '../../api/onboarding/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { shownCase } from './shown-case.ts';

type ResolvingApplication = Pick<Application, 'proposeCaseResolution' | 'confirmCaseResolution' | 'denyCaseResolution'>;

export function addCaseResolutionRoutes(app: Api, application: ResolvingApplication): void {
  serve(app, caseResolutionEndpoints, {
    proposeCaseResolution: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.proposeCaseResolution(user, caseId, body)),
    confirmCaseResolution: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.confirmCaseResolution(user, caseId, body)),
    denyCaseResolution: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.denyCaseResolution(user, caseId, body)),
  });
}
