import type { FastifyRequest } from 'fastify';
import { type CaseDetail, maskedCase } from '../../api/onboarding/case-detail.ts';
import {
  caseDocumentEndpoints,
  caseEndpoints,
  caseManualOutcomeEndpoints,
  DOCUMENT_TYPES,
  OTHER_DOCUMENT_TYPE,
  signUpEndpoints,
} from '../../api/onboarding/endpoints.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { serve } from '../serve.ts';
import { mayReadApplicants } from '../users/access.ts';

type CaseApplication = Pick<
  Application,
  | 'allowedActions'
  | 'listCases'
  | 'findCase'
  | 'accountOf'
  | 'withdrawCase'
  | 'eraseCase'
  | 'listCaseAudit'
  | 'findCaseDocument'
  | 'exportCase'
  | 'proposeCaseManualOutcome'
  | 'confirmCaseManualOutcome'
  | 'rejectCaseManualOutcome'
  | 'retryCase'
  | 'listSignUpPauses'
  | 'resumeSignUps'
>;

export function addCaseRoutes(app: Api, application: CaseApplication): void {
  serve(app, caseEndpoints, {
    listCases: async ({ user, query }) => {
      const { cases, ...rest } = await application.listCases(user, query);
      return { cases, ...rest, nextAfter: cases.length < query.limit ? null : (cases.at(-1)?.caseId ?? null) };
    },
    getCase: async ({ user, params: { caseId }, query, request }) => {
      const withValues = mayReadApplicants(request) && query.values;
      request.showsPersonalData = query.values;
      const found = await application.findCase(user, caseId, { withValues });
      const shown = shownCase(request, orNotFound(found, `there is no case ${caseId}`));
      const actions = await application.allowedActions(user, { kind: 'case', id: caseId });
      return { ...shown, allowedActions: actions ?? [] };
    },
    listCaseAudit: async ({ params: { caseId }, query }) => {
      orNotFound(await application.accountOf('case', caseId), `there is no case ${caseId}`);
      const entries = await application.listCaseAudit(caseId, query);
      return { entries, nextAfterEntry: entries.length < query.limit ? null : (entries.at(-1)?.entryId ?? null) };
    },
    withdrawCase: async ({ user, params: { caseId }, body: { reason }, request }) =>
      shownCase(request, await application.withdrawCase(user, caseId, reason)),
    eraseCase: ({ user, params: { caseId } }) => application.eraseCase(user, caseId),
  });
  serve(app, caseDocumentEndpoints, {
    exportCase: ({ user, params: { caseId } }) => application.exportCase(user, caseId),
    getCaseDocument: async ({ user, params: { caseId, slot }, query, reply }) => {
      const revision = query.revision === 0 ? null : query.revision;
      const found = await application.findCaseDocument(user, caseId, { slot, revision });
      const file = orNotFound(found, `case ${caseId} has no document ${slot}`);
      void reply.type(DOCUMENT_TYPES.find((type) => type === file.contentType) ?? OTHER_DOCUMENT_TYPE);
      void reply.header('content-disposition', attachmentNamed(file.fileName));
      return reply.send(Buffer.from(file.bytes));
    },
  });
  serve(app, caseManualOutcomeEndpoints, {
    proposeCaseManualOutcome: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.proposeCaseManualOutcome(user, caseId, body)),
    confirmCaseManualOutcome: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.confirmCaseManualOutcome(user, caseId, body)),
    rejectCaseManualOutcome: async ({ user, params: { caseId }, body, request }) =>
      shownCase(request, await application.rejectCaseManualOutcome(user, caseId, body)),
  });
  serve(app, signUpEndpoints, {
    listSignUpPauses: async ({ user }) => ({ pauses: await application.listSignUpPauses(user) }),
    resumeSignUps: ({ user, body }) => application.resumeSignUps(user, body),
    retryCase: async ({ user, params: { caseId }, request }) =>
      shownCase(request, await application.retryCase(user, caseId)),
  });
}

/** The case as the user behind a request may see it. */
function shownCase(request: FastifyRequest, detail: CaseDetail): CaseDetail {
  return mayReadApplicants(request) ? detail : maskedCase(detail);
}
