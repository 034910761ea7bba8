import type { Application } from '../../application/application-api.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { existingRun } from './existing-run.ts';
import { bytes, json, errorsOf } from '../../api/answers.ts';
import { reviewSchema } from '../../api/runs/review.ts';
import { runParams } from '../../api/runs/run.ts';
import { fileListSchema, fileParams } from '../../api/runs/supporting-file.ts';

/** Files of other types are sent as plain bytes. */
const CONTENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
const OTHER_TYPE = 'application/octet-stream';

type ReviewingApplication = Pick<Application, 'findRun' | 'findReview' | 'listFiles' | 'findFile'>;

/** What a decision is based on: the findings about a run, and the documents that it was submitted with. */
export function addReviewRoutes(app: Api, application: ReviewingApplication): void {
  app.get('/runs/:runId/review', {
    config: { access: 'read_instructions' },
    schema: {
      operationId: 'getReview',
      tags: ['runs'],
      summary: 'What stands out in the rows that a run would pay',
      description:
        'A file that was submitted before, changed bank accounts, accounts of several names, unusual amounts, warnings of the file ' +
        'check, new beneficiaries, later days.',
      params: runParams,
      response: { 200: json('The findings.', reviewSchema), ...errorsOf(400, 404, 409) },
    },
    handler: async ({ params: { runId } }) =>
      orNotFound(await application.findReview(runId), `there is no run ${runId}`),
  });

  app.get('/runs/:runId/files', {
    config: { access: 'read_instructions' },
    schema: {
      operationId: 'listFiles',
      tags: ['runs'],
      summary: 'The supporting files of a run, by name',
      params: runParams,
      response: { 200: json('The files.', fileListSchema), ...errorsOf(400, 404) },
    },
    handler: async ({ params: { runId } }) => {
      await existingRun(application, runId);
      return { files: await application.listFiles(runId) };
    },
  });

  app.get('/runs/:runId/files/:name', {
    config: { access: 'read_instructions' },
    schema: {
      operationId: 'getFile',
      tags: ['runs'],
      summary: 'A supporting file as it was submitted',
      params: fileParams,
      response: { 200: bytes('The file.', [...CONTENT_TYPES, OTHER_TYPE]), ...errorsOf(400, 404) },
    },
    handler: async ({ params: { runId, name } }, reply) => {
      const file = orNotFound(await application.findFile(runId, name), 'there is no such file in this run');
      void reply.type(CONTENT_TYPES.find((type) => type === file.contentType) ?? OTHER_TYPE);
      void reply.header('content-disposition', attachmentNamed(file.name));
      await reply.send(Buffer.from(file.bytes) as unknown as string);
    },
  });
}
