import { reviewEndpoints } from '../../api/runs/endpoints.ts';
import { FILE_TYPES } from '../../api/runs/supporting-file.ts';
import type { Application } from '../../application/create-application.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { serve } from '../serve.ts';
import { existingRun } from './existing-run.ts';

type ReviewingApplication = Pick<Application, 'findRun' | 'findReview' | 'runDifferences' | 'listFiles' | 'findFile'>;

export function addReviewRoutes(app: Api, application: ReviewingApplication): void {
  serve(app, reviewEndpoints, {
    getReview: async ({ user, params: { runId } }) =>
      orNotFound(await application.findReview(runId, user.accounts), `there is no run ${runId}`),
    getDifferences: async ({ params: { runId }, query }) => {
      await existingRun(application, runId);
      return application.runDifferences(runId, query);
    },
    listFiles: async ({ params: { runId } }) => {
      await existingRun(application, runId);
      return { files: await application.listFiles(runId) };
    },
    getFile: async ({ params: { runId, name }, reply }) => {
      const file = orNotFound(await application.findFile(runId, name), 'there is no such file in this run');
      void reply.type(FILE_TYPES.find((type) => type === file.contentType) ?? 'application/octet-stream');
      void reply.header('content-disposition', attachmentNamed(file.name));
      return reply.send(Buffer.from(file.bytes));
    },
  });
}
