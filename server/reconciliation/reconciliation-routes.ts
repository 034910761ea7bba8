import { Readable } from 'node:stream';
import { REPORT_MEDIA_TYPES } from '../../api/reconciliation/book-day.ts';
import { bookEndpoints, breakEndpoints } from '../../api/reconciliation/endpoints.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/use-cases.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { serve } from '../serve.ts';

export function addReconciliationRoutes(app: Api, application: ReconciliationApplication): void {
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
  serve(app, breakEndpoints, {
    listBreaks: async ({ user, query }) => ({ breaks: await application.listBreaks(user, query) }),
    assignBreak: ({ user, params: { breakId }, body: { login } }) => application.assignBreak(user, breakId, login),
    explainBreak: ({ user, params: { breakId }, body: { reason } }) => application.explainBreak(user, breakId, reason),
    closeBreak: ({ user, params: { breakId }, body: { explanationId } }) =>
      application.closeBreak(user, breakId, explanationId),
    reopenBreak: ({ user, params: { breakId }, body: { reason } }) => application.reopenBreak(user, breakId, reason),
  });
}
