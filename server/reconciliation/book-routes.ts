import { Readable } from 'node:stream';
import { z } from 'zod';
import { bytes, errorsOf, json } from '../../api/answers.ts';
import {
  askedReconciliationSchema,
  bookDayListSchema,
  bookDayQuery,
  daySignatureSchema,
  openingFigureSchema,
  reconciliationProgressSchema,
  reconciliationQuery,
  reconciliationRequestSchema,
  type ReportFile,
  reportParams,
  reportQuery,
  signedDaySchema,
} from '../../api/reconciliation/book-day.ts';
import type { ReconciliationApplication } from '../../application/reconciliation/reconciliation-api.ts';
import type { Api } from '../api.ts';
import { attachmentNamed } from '../attachment.ts';
import { userOf } from '../users/access.ts';

const MEDIA_TYPES = {
  'report.html': 'text/html',
  'breaks.csv': 'text/csv',
  'entries.csv': 'text/csv',
  'days.csv': 'text/csv',
  'fees.csv': 'text/csv',
  'exchange.csv': 'text/csv',
  'statement.xml': 'application/xml',
} as const satisfies Record<ReportFile, string>;

/** The books of each day, and what is made of them. */
export function addBookRoutes(app: Api, application: ReconciliationApplication): void {
  app.get('/reconciliation/days', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'listBookDays',
      tags: ['reconciliation'],
      summary: 'The books of each day, of the accounts that you may use: the latest ones of each, in their order',
      querystring: bookDayQuery,
      response: { 200: json('The days.', bookDayListSchema), ...errorsOf(400) },
    },
    handler: async (request) => ({ days: await application.listBookDays(userOf(request), request.query) }),
  });

  app.post('/reconciliation', {
    config: { access: 'propose_resolution' },
    schema: {
      operationId: 'askForReconciliation',
      tags: ['reconciliation'],
      summary: "Compare the provider's history with the record now",
      description:
        'It is done every day by itself. Days after the first one that are not closed are reconciled again, too.',
      body: reconciliationRequestSchema,
      response: { 200: json('It was begun.', askedReconciliationSchema), ...errorsOf(400, 404, 415) },
    },
    handler: (request) => application.askForReconciliation(userOf(request), request.body),
  });

  app.get('/reconciliation', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getReconciliation',
      tags: ['reconciliation'],
      summary: 'Whether a comparison that somebody asked for is under way',
      querystring: reconciliationQuery,
      response: { 200: json('Its progress.', reconciliationProgressSchema), ...errorsOf(400, 404) },
    },
    handler: (request) => application.findReconciliation(userOf(request), request.query.account),
  });

  addSigningRoutes(app, application);

  app.get('/reconciliation/files/:file', {
    config: { access: 'read_runs' },
    schema: {
      operationId: 'getReconciliationFile',
      tags: ['reconciliation'],
      summary: 'A report of some days as a page or as tables, or the statement (camt.053) of a currency and day',
      params: reportParams,
      querystring: reportQuery,
      response: { 200: bytes('The file.', Object.values(MEDIA_TYPES)), ...errorsOf(400, 404) },
    },
    handler: async (request, reply) => {
      const { file } = request.params;
      const { account, from, currency } = request.query;
      const pieces = await application.reconciliationReport(userOf(request), file, request.query);
      const name = [account, from, ...(currency === null ? [] : [currency]), file].join('-');
      void reply.type(`${MEDIA_TYPES[file]}; charset=utf-8`);
      void reply.header('content-disposition', attachmentNamed(name));
      await reply.send(Readable.from(pieces) as unknown as string);
    },
  });
}

function addSigningRoutes(app: Api, application: ReconciliationApplication): void {
  app.post('/reconciliation/signature', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'signBookDay',
      tags: ['reconciliation'],
      summary: 'Sign the books of a day that you have seen',
      description: 'It closes when all days before it are closed, and two people have closed each break of it.',
      body: daySignatureSchema,
      response: { 200: json('Signed.', signedDaySchema), ...errorsOf(400, 404, 409, 415) },
    },
    handler: (request) => application.signBookDay(userOf(request), request.body),
  });

  app.post('/reconciliation/opening', {
    config: { access: 'decide_run' },
    schema: {
      operationId: 'signOpening',
      tags: ['reconciliation'],
      summary: 'Sign the balance before the first entry, where the history does not begin with 0',
      body: openingFigureSchema,
      response: { 204: z.undefined().describe('Signed.'), ...errorsOf(400, 404, 409, 415) },
    },
    handler: async (request, reply) => {
      await application.signOpening(userOf(request), request.body);
      return reply.code(204).send();
    },
  });
}
