import { caseEndpoints } from '../../api/onboarding/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';
import { mayReadApplicants } from '../users/access.ts';
import { shownCase } from './shown-case.ts';

type CaseApplication = Pick<
  Application,
  'allowedActions' | 'listCases' | 'findCase' | 'accountOfCase' | 'withdrawCase' | 'eraseCase' | 'listCaseAudit'
>;

export function addCaseRoutes(app: Api, application: CaseApplication): void {
  serve(app, caseEndpoints, {
    listCases: async ({ user, query }) => {
      const { cases, ...rest } = await application.listCases(user, query);
      return { cases, ...rest, nextAfter: cases.length < query.limit ? null : (cases.at(-1)?.caseId ?? null) };
    },
    getCase: async ({ user, params: { caseId }, query, request }) => {
      const withValues = mayReadApplicants(request) && query.values;
      const found = await application.findCase(user, caseId, { withValues });
      const shown = shownCase(request, orNotFound(found, `there is no case ${caseId}`));
      const actions = await application.allowedActions(user, { kind: 'case', id: caseId });
      return { ...shown, allowedActions: actions ?? [] };
    },
    listCaseAudit: async ({ params: { caseId }, query }) => {
      orNotFound(await application.accountOfCase(caseId), `there is no case ${caseId}`);
      const entries = await application.listCaseAudit(caseId, query);
      return { entries, nextAfterEntry: entries.length < query.limit ? null : (entries.at(-1)?.entryId ?? null) };
    },
    withdrawCase: async ({ user, params: { caseId }, body: { reason }, request }) =>
      shownCase(request, await application.withdrawCase(user, caseId, reason)),
    eraseCase: async ({ user, params: { caseId }, request }) =>
      shownCase(request, await application.eraseCase(user, caseId)),
  });
}
