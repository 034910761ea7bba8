import { errorsOf, json, text } from '../../api/answers.ts';
import { fileColumnsSchema } from '../../api/payment-file/column.ts';
import { CSV_COLUMNS } from '../../domain/payment-file/csv-columns.ts';
import type { Api } from '../api.ts';

/** Only a header: an example row could be submitted by oversight. */
const TEMPLATE = `${CSV_COLUMNS.map(({ name }) => name).join(',')}\r\n`;

/** What a payment file may hold, for whoever writes the first one. */
export function addFileColumnRoutes(app: Api): void {
  app.get('/payment-file/columns', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'listFileColumns',
      tags: ['runs'],
      summary: 'The columns of a payment file: when each is needed, an example, and what it holds',
      response: { 200: json('The columns.', fileColumnsSchema), ...errorsOf() },
    },
    handler: () => ({
      columns: CSV_COLUMNS.map(({ name, need, example, description }) => ({ name, need, example, description })),
    }),
  });

  app.get('/payment-file/template.csv', {
    config: { access: 'signed_in' },
    schema: {
      operationId: 'getFileTemplate',
      tags: ['runs'],
      summary: 'A payment file with a header and no rows; columns that nobody needs may be removed',
      response: { 200: text('The file.', 'text/csv'), ...errorsOf() },
    },
    handler: async (_request, reply) => {
      void reply.type('text/csv; charset=utf-8');
      void reply.header('content-disposition', 'attachment; filename="payments.csv"');
      await reply.send(TEMPLATE);
    },
  });
}
