import { bytes, errorsOf, json } from '../../api/answers.ts';
import { caseDocumentParams, caseDocumentQuery } from '../../api/onboarding/case-detail.ts';
import { caseExportSchema } from '../../api/onboarding/case-export.ts';
import { caseParams } from '../../api/onboarding/case.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import { SUPPORTED_KINDS } from '../../domain/payment-file/supporting-file-kind.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { userOf } from '../users/access.ts';

const CONTENT_TYPES = SUPPORTED_KINDS.map(({ contentType }) => contentType);
const OTHER_TYPE = 'application/octet-stream';

type HandingOutApplication = Pick<Application, 'findCaseDocument' | 'exportCase'>;

/** The documents of a case, and its export. */
export function addCaseDocumentRoutes(app: Api, application: HandingOutApplication): void {
  app.post('/cases/:caseId/export', {
    config: { access: 'read_applicants' },
    schema: {
      operationId: 'exportCase',
      tags: ['onboarding'],
      summary: 'Everything about an applicant, to be handed out',
      description: 'With all revisions. The audit trail says who exported it, and when. Documents are read one by one.',
      params: caseParams,
      response: { 200: json('The case, with values and remarks.', caseExportSchema), ...errorsOf(400, 404, 409) },
    },
    handler: async (request) => application.exportCase(userOf(request), request.params.caseId),
  });

  app.get('/cases/:caseId/documents/:slot', {
    config: { access: 'read_applicants' },
    schema: {
      operationId: 'getCaseDocument',
      tags: ['onboarding'],
      summary: 'A document of a case, as it was supplied last or with a revision',
      params: caseDocumentParams,
      querystring: caseDocumentQuery,
      response: { 200: bytes('The file.', [...CONTENT_TYPES, OTHER_TYPE]), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const { caseId, slot } = request.params;
      const revision = request.query.revision === 0 ? null : request.query.revision;
      const found = await application.findCaseDocument(userOf(request), caseId, { slot, revision });
      const file = orNotFound(found, `case ${caseId} has no document ${slot}`);
      void reply.type(CONTENT_TYPES.find((type) => type === file.contentType) ?? OTHER_TYPE);
      void reply.header('content-disposition', attachmentNamed(file.fileName));
      await reply.send(Buffer.from(file.bytes) as unknown as string);
    },
  });
}
