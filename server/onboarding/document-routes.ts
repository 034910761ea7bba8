import { bytes, errorsOf } from '../../api/answers.ts';
import { caseDocumentParams } from '../../api/onboarding/case-detail.ts';
import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import { SUPPORTED_KINDS } from '../../domain/payment-file/supporting-file-kind.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { userOf } from '../users/access.ts';

const CONTENT_TYPES = SUPPORTED_KINDS.map(({ contentType }) => contentType);
const OTHER_TYPE = 'application/octet-stream';

/** The documents of a case. */
export function addCaseDocumentRoutes(app: Api, application: Pick<Application, 'findCaseDocument'>): void {
  app.get('/cases/:caseId/documents/:slot', {
    config: { access: 'read_applicants' },
    schema: {
      operationId: 'getCaseDocument',
      tags: ['onboarding'],
      summary: 'A document of a case, as it was supplied last',
      params: caseDocumentParams,
      response: { 200: bytes('The file.', [...CONTENT_TYPES, OTHER_TYPE]), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const { caseId, slot } = request.params;
      const found = await application.findCaseDocument(userOf(request), caseId, slot);
      const file = orNotFound(found, `case ${caseId} has no document ${slot}`);
      void reply.type(CONTENT_TYPES.find((type) => type === file.contentType) ?? OTHER_TYPE);
      void reply.header('content-disposition', attachmentNamed(file.fileName));
      await reply.send(Buffer.from(file.bytes) as unknown as string);
    },
  });
}
