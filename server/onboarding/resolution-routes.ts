import { json, errorsOf } from '../../api/answers.ts';
import { caseDetailSchema } from '../../api/onboarding/case-detail.ts';
import {
  caseConfirmationSchema,
  caseDenialSchema,
  caseResolutionRequestSchema,
} from '../../api/onboarding/case-resolution.ts';
import { caseParams } from '../../api/onboarding/case.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { userOf } from '../users/access.ts';
import { shownCase } from './shown-case.ts';

type ResolvingApplication = Pick<Application, 'proposeCaseResolution' | 'confirmCaseResolution' | 'denyCaseResolution'>;

const afterwards = { 200: json('The case afterwards.', caseDetailSchema), ...errorsOf(400, 404, 409, 415) };

/** How two people resolve a case whose sign-up has an unknown outcome. */
export function addCaseResolutionRoutes(app: Api, application: ResolvingApplication): void {
  app.post('/cases/:caseId/resolution', {
    config: { access: 'onboard' },
    schema: {
      operationId: 'proposeCaseResolution',
      tags: ['onboarding'],
      summary: 'Propose what became of a sign-up',
      description:
        '`signed_up` names the user, who must have the mail address of the applicant. It takes effect when a second person ' +
        'confirms it.',
      params: caseParams,
      body: caseResolutionRequestSchema,
      response: afterwards,
    },
    handler: async (request) =>
      shownCase(request, await application.proposeCaseResolution(userOf(request), request.params.caseId, request.body)),
  });

  app.post('/cases/:caseId/resolution/confirm', {
    config: { access: 'confirm_case' },
    schema: {
      operationId: 'confirmCaseResolution',
      tags: ['onboarding'],
      summary: 'Confirm what became of a sign-up',
      description:
        'By another person than the proposer. payrun then reads the user: when the provider shows somebody else, the ' +
        'proposal is closed as `contradicted`.',
      params: caseParams,
      body: caseConfirmationSchema,
      response: afterwards,
    },
    handler: async (request) =>
      shownCase(request, await application.confirmCaseResolution(userOf(request), request.params.caseId, request.body)),
  });

  app.post('/cases/:caseId/resolution/deny', {
    config: { access: 'confirm_case' },
    schema: {
      operationId: 'denyCaseResolution',
      tags: ['onboarding'],
      summary: 'Deny a proposal, or take back one of your own',
      params: caseParams,
      body: caseDenialSchema,
      response: afterwards,
    },
    handler: async (request) =>
      shownCase(request, await application.denyCaseResolution(userOf(request), request.params.caseId, request.body)),
  });
}
