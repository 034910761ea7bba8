import type { FastifyReply } from 'fastify';
import { fileColumnEndpoints } from '../../api/payment-file/endpoints.ts';
import { stepsTakenBy } from '../../domain/import-profiles/column-steps.ts';
import { CSV_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

/** Only a header: an example row could be submitted by oversight. */
const TEMPLATE = `${CSV_COLUMNS.map(({ name }) => name).join(',')}\r\n`;

export function addFileColumnRoutes(app: Api, application: Pick<Application, 'writeCorridorTemplate'>): void {
  serve(app, fileColumnEndpoints, {
    listFileColumns: () => ({
      columns: CSV_COLUMNS.map(({ name, need, example, description }) => ({
        ...{ name, need, example, description },
        steps: stepsTakenBy(name),
      })),
    }),
    getFileTemplate: ({ reply }) => sendFile(reply, TEMPLATE),
    getCorridorTemplate: async ({ user, query, reply }) =>
      sendFile(reply, await application.writeCorridorTemplate(user, query)),
  });
}

function sendFile(reply: FastifyReply, text: string): FastifyReply {
  void reply.type('text/csv; charset=utf-8');
  void reply.header('content-disposition', 'attachment; filename="payments.csv"');
  return reply.send(text);
}
