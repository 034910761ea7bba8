import { caseDocumentEndpoints, DOCUMENT_TYPES, OTHER_DOCUMENT_TYPE } from '../../api/onboarding/endpoints.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { serve } from '../serve.ts';

type HandingOutApplication = Pick<Application, 'findCaseDocument' | 'exportCase'>;

export function addCaseDocumentRoutes(app: Api, application: HandingOutApplication): void {
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
}
