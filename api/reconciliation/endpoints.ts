import { bytes, json, nothing } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import {
  askedReconciliationSchema,
  bookDayListSchema,
  bookDayQuery,
  daySignatureSchema,
  openingBalanceSchema,
  reconciliationProgressSchema,
  reconciliationQuery,
  reconciliationRequestSchema,
  REPORT_MEDIA_TYPES,
  reportParams,
  reportQuery,
  signedDaySchema,
} from './book-day.ts';
import {
  breakAssignmentSchema,
  breakClosingSchema,
  breakExplanationSchema,
  breakListSchema,
  breakParams,
  breakQuery,
  breakReopeningSchema,
  breakSchema,
} from './break.ts';

/** The books of each day, and what is made of them. */
export const bookEndpoints = endpoints({
  listBookDays: {
    method: 'GET',
    path: '/reconciliation/days',
    access: 'read_runs',
    tag: 'reconciliation',
    summary: 'The books of each day, of the accounts that you may use: the latest ones of each, in their order',
    query: bookDayQuery,
    answers: { 200: json('The days.', bookDayListSchema) },
    errors: [400],
  },
  askForReconciliation: {
    method: 'POST',
    path: '/reconciliation',
    access: 'propose_manual_outcome',
    tag: 'reconciliation',
    summary: "Compare the provider's history with the database now",
    description:
      'It is done every day by itself. Days after the first one that are not closed are reconciled again, too.',
    body: reconciliationRequestSchema,
    answers: { 200: json('It was begun.', askedReconciliationSchema) },
    errors: [400, 404, 415],
  },
  getReconciliation: {
    method: 'GET',
    path: '/reconciliation',
    access: 'read_runs',
    tag: 'reconciliation',
    summary: 'Whether a comparison that somebody asked for is under way',
    query: reconciliationQuery,
    answers: { 200: json('Its progress.', reconciliationProgressSchema) },
    errors: [400, 404],
  },
  signBookDay: {
    method: 'POST',
    path: '/reconciliation/signature',
    access: 'decide_run',
    tag: 'reconciliation',
    summary: 'Sign the books of a day that you have seen',
    description: 'It closes when all days before it are closed, and two people have closed each break of it.',
    body: daySignatureSchema,
    answers: { 200: json('Signed.', signedDaySchema) },
    errors: [400, 404, 409, 415],
  },
  signOpening: {
    method: 'POST',
    path: '/reconciliation/opening',
    access: 'decide_run',
    tag: 'reconciliation',
    summary: 'Sign the balance before the first entry, where the history does not begin with 0',
    body: openingBalanceSchema,
    answers: { 204: nothing('Signed.') },
    errors: [400, 404, 409, 415],
  },
  getReconciliationFile: {
    method: 'GET',
    path: '/reconciliation/files/:file',
    access: 'read_runs',
    tag: 'reconciliation',
    summary: 'A report of some days as a page or as tables, or the statement (camt.053) of a currency and day',
    params: reportParams,
    query: reportQuery,
    answers: { 200: bytes('The file.', Object.values(REPORT_MEDIA_TYPES)) },
    errors: [400, 404],
  },
});

const afterwards = {
  answers: { 200: json('The break afterwards.', breakSchema) },
  errors: [400, 404, 409, 415],
} as const;

/** Differences, and how two people close them. */
export const breakEndpoints = endpoints({
  listBreaks: {
    method: 'GET',
    path: '/reconciliation/breaks',
    access: 'read_runs',
    tag: 'reconciliation',
    summary: "Differences between the provider's history and the database, the oldest first",
    query: breakQuery,
    answers: { 200: json('The breaks.', breakListSchema) },
    errors: [400],
  },
  assignBreak: {
    method: 'POST',
    path: '/reconciliation/breaks/:breakId/assign',
    access: 'propose_manual_outcome',
    tag: 'reconciliation',
    summary: 'Say who finds out about a break',
    params: breakParams,
    body: breakAssignmentSchema,
    ...afterwards,
  },
  explainBreak: {
    method: 'POST',
    path: '/reconciliation/breaks/:breakId/explain',
    access: 'propose_manual_outcome',
    tag: 'reconciliation',
    summary: 'Say why there is a difference: the first of the two people who close a break',
    params: breakParams,
    body: breakExplanationSchema,
    ...afterwards,
  },
  closeBreak: {
    method: 'POST',
    path: '/reconciliation/breaks/:breakId/close',
    access: 'decide_run',
    tag: 'reconciliation',
    summary: 'Close a break whose explanation you have seen: the second person',
    params: breakParams,
    body: breakClosingSchema,
    ...afterwards,
  },
  reopenBreak: {
    method: 'POST',
    path: '/reconciliation/breaks/:breakId/reopen',
    access: 'propose_manual_outcome',
    tag: 'reconciliation',
    summary: 'Refuse the explanation of a break, or take back one of your own',
    params: breakParams,
    body: breakReopeningSchema,
    ...afterwards,
  },
});

export const reconciliationEndpoints = { ...bookEndpoints, ...breakEndpoints };
