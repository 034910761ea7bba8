import { json, errorsOf } from '../../api/answers.ts';
import { reasonSchema } from '../../api/approvals/stop.ts';
import { auditPageSchema } from '../../api/audit/audit.ts';
import { actionableCaseSchema, caseDetailSchema, caseQuery } from '../../api/onboarding/case-detail.ts';
import { caseAuditQuery, caseListQuery, casePageSchema, caseParams } from '../../api/onboarding/case.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { mayReadApplicants, userOf } from '../users/access.ts';
import { shownCase } from './shown-case.ts';

type CaseApplication = Pick<
  Application,
  'allowedActions' | 'listCases' | 'findCase' | 'accountOfCase' | 'withdrawCase' | 'eraseCase' | 'listCaseAudit'
>;

/** Cases, to read, to withdraw and to erase. */
export function addCaseRoutes(app: Api, application: CaseApplication): void {
  addReadingRoutes(app, application);

  app.post('/cases/:caseId/withdraw', {
    config: { access: 'onboard' },
    schema: {
      operationId: 'withdrawCase',
      tags: ['onboarding'],
      summary: 'End a case that waits for an onboarder, or was not begun',
      description: 'A user that the provider has already stays there.',
      params: caseParams,
      body: reasonSchema,
      response: { 200: json('The case afterwards.', caseDetailSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: async (request) =>
      shownCase(request, await application.withdrawCase(userOf(request), request.params.caseId, request.body.reason)),
  });

  app.post('/cases/:caseId/erase', {
    config: { access: 'erase_case' },
    schema: {
      operationId: 'eraseCase',
      tags: ['onboarding'],
      summary: 'Destroy the personal data of an ended case, also in every backup',
      description: 'Not before its retention date, `erasableFrom`, which the policy sets. It cannot be undone.',
      params: caseParams,
      response: { 200: json('The case afterwards.', caseDetailSchema), ...errorsOf(400, 404, 409) },
    },
    handler: async (request) => shownCase(request, await application.eraseCase(userOf(request), request.params.caseId)),
  });
}

function addReadingRoutes(app: Api, application: CaseApplication): void {
  app.get('/cases', {
    config: { access: 'read_cases' },
    schema: {
      operationId: 'listCases',
      tags: ['onboarding'],
      summary: 'Cases of the accounts that you may use, the newest first',
      querystring: caseListQuery,
      response: { 200: json('A page of cases.', casePageSchema), ...errorsOf(400) },
    },
    handler: async (request) => {
      const { query } = request;
      const { cases, ...rest } = await application.listCases(userOf(request), query);
      return { cases, ...rest, nextAfter: cases.length < query.limit ? null : (cases.at(-1)?.caseId ?? null) };
    },
  });

  app.get('/cases/:caseId', {
    config: { access: 'read_cases' },
    schema: {
      operationId: 'getCase',
      tags: ['onboarding'],
      summary: 'One case: its state, what is asked for, what was supplied and sent',
      description: 'Values, file names and remarks need the permission read_applicants.',
      params: caseParams,
      querystring: caseQuery,
      response: { 200: json('The case, and what you may do with it.', actionableCaseSchema), ...errorsOf(400, 404) },
    },
    handler: async (request) => {
      const { caseId } = request.params;
      const withValues = mayReadApplicants(request) && request.query.values === 'true';
      const found = await application.findCase(userOf(request), caseId, { withValues });
      const shown = shownCase(request, orNotFound(found, `there is no case ${caseId}`));
      const actions = await application.allowedActions(userOf(request), { kind: 'case', id: caseId });
      return { ...shown, allowedActions: actions ?? [] };
    },
  });

  app.get('/cases/:caseId/audit', {
    config: { access: 'read_cases' },
    schema: {
      operationId: 'listCaseAudit',
      tags: ['onboarding'],
      summary: 'What happened to a case, in order',
      params: caseParams,
      querystring: caseAuditQuery,
      response: { 200: json('A page of entries.', auditPageSchema), ...errorsOf(400, 404) },
    },
    handler: async ({ params: { caseId }, query }) => {
      orNotFound(await application.accountOfCase(caseId), `there is no case ${caseId}`);
      const entries = await application.listCaseAudit(caseId, query);
      return { entries, nextAfterEntry: entries.length < query.limit ? null : (entries.at(-1)?.entryId ?? null) };
    },
  });
}
