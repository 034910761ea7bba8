import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, errorsOf } from '../../api/answers.ts';
import { releasedRowSchema, releaseRequestSchema } from '../../api/runs/release.ts';
import { rowParams } from '../../api/runs/row.ts';

/** Suspected duplicates that are to be paid all the same. The database decides who may release them. */
export function addReleaseRoutes(app: Api, application: Pick<Application, 'releaseRow'>): void {
  app.post('/runs/:runId/rows/:rowRef/release', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'releaseRow',
      tags: ['decisions'],
      summary: 'Release a suspected duplicate',
      description:
        'The row is paid with its run, which is proposed again and needs all its approvals. It counts for the similar ' +
        'rows that were seen. Makers never release rows of their own runs.',
      params: rowParams,
      body: releaseRequestSchema,
      response: { 200: json('The row afterwards.', releasedRowSchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.releaseRow(userOf(request), request.params, request.body),
  });
}
