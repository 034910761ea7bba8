import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { existingRun } from './existing-run.ts';
import { bytes, json, refusalsOf } from '../../api/answers.ts';
import { fileSchema, reviewSchema } from '../../api/runs/review.ts';
import { runIdSchema, runParams } from '../../api/runs/run.ts';

const fileName = z
  .string()
  .min(1)
  .refine((name) => !name.includes('\0'), 'is not the name of a file');
const fileParams = z.object({ runId: runIdSchema, name: fileName });

/** What is stored with another type is given out as bytes alone. */
const CONTENT_TYPES = ['application/pdf', 'image/png', 'image/jpeg'] as const;
const OTHER_TYPE = 'application/octet-stream';

type ReviewingApplication = Pick<Application, 'findRun' | 'findReview' | 'listFiles' | 'findFile'>;

/** What those who decide look at: what stands out in a run, and the documents that it was submitted with. */
export function addReviewRoutes(app: Api, application: ReviewingApplication): void {
  app.get('/runs/:runId/review', {
    config: { access: 'read_instructions' },
    schema: {
      operationId: 'getReview',
      tags: ['runs'],
      summary: 'What stands out in the rows that a run would pay',
      description: 'Changed bank accounts, accounts of several names, unusual amounts, new beneficiaries, later days.',
      params: runParams,
      response: { 200: json('The findings.', reviewSchema), ...refusalsOf(400, 404, 409) },
    },
    handler: async ({ params: { runId } }) => {
      const review = await application.findReview(runId);
      if (review === null) throw new ApplicationError('not_found', `there is no run ${runId}`);
      return review;
    },
  });

  app.get('/runs/:runId/files', {
    config: { access: 'read_instructions' },
    schema: {
      operationId: 'listFiles',
      tags: ['runs'],
      summary: 'The supporting files of a run, by name',
      params: runParams,
      response: { 200: json('The files.', z.object({ files: z.array(fileSchema) })), ...refusalsOf(400, 404) },
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
      response: { 200: bytes('The file.', [...CONTENT_TYPES, OTHER_TYPE]), ...refusalsOf(400, 404) },
    },
    handler: async ({ params: { runId, name } }, reply) => {
      const file = await application.findFile(runId, name);
      if (file === null) throw new ApplicationError('not_found', 'there is no such file in this run');
      void reply.type(CONTENT_TYPES.find((type) => type === file.contentType) ?? OTHER_TYPE);
      void reply.header('content-disposition', attachmentNamed(file.name));
      await reply.send(Buffer.from(file.bytes) as unknown as string);
    },
  });
}
