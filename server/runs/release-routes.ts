import { z } from 'zod';
import type { Application } from '../../application/application-api.ts';
import { userOf } from '../users/access.ts';
import type { Api } from '../api.ts';
import { json, refusalsOf } from '../../api/answers.ts';
import { releaseRequestSchema, rowDetailSchema, rowParams } from '../../api/runs/row-detail.ts';

const released = z
  .object({
    row: rowDetailSchema,
    approvals: z.int().describe('Approvals of the run that were given before, and count no more.'),
  })
  .meta({ id: 'ReleasedRow' });

/** Rows that may be paid a second time, and are to be paid all the same. Who may release them is decided by the record. */
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
      response: { 200: json('The row afterwards.', released), ...refusalsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.releaseRow(userOf(request), request.params, request.body),
  });
}
