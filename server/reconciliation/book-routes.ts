import { Readable } from 'node:stream';
import { REPORT_MEDIA_TYPES } from '../../api/reconciliation/book-day.ts';
import { bookEndpoints } from '../../api/reconciliation/endpoints.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/use-cases.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { serve } from '../serve.ts';

export function addBookRoutes(app: Api, application: ReconciliationApplication): void {
  serve(app, bookEndpoints, {
    listBookDays: async ({ user, query }) => ({ days: await application.listBookDays(user, query) }),
    askForReconciliation: ({ user, body }) => application.askForReconciliation(user, body),
    getReconciliation: ({ user, query: { account } }) => application.findReconciliation(user, account),
    signBookDay: ({ user, body }) => application.signBookDay(user, body),
    signOpening: ({ user, body }) => application.signOpening(user, body),
    getReconciliationFile: async ({ user, params: { file }, query, reply }) => {
      const { account, from, currency } = query;
      const pieces = await application.reconciliationReport(user, file, query);
      const name = [account, from, ...(currency === null ? [] : [currency]), file].join('-');
      void reply.type(`${REPORT_MEDIA_TYPES[file]}; charset=utf-8`);
      void reply.header('content-disposition', attachmentNamed(name));
      return Readable.from(pieces);
    },
  });
}
