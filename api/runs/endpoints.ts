import { differencesQuery, differencesSchema } from './differences.ts';
import { doneOrChangeSchema } from '../approvals/change.ts';
import { bytes, json, text } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { releasedRowsSchema, releaseRequestSchema, suspectedRowsSchema, suspectQuery } from './release.ts';
import { reviewSchema } from './review.ts';
import { actionableRowSchema } from './row-detail.ts';
import { rowLineParams, rowListQuery, rowPageSchema } from './row.ts';
import { runDetailSchema, runListQuery, runPageSchema, runParams } from './run.ts';
import { acceptedSubmissionSchema, submissionFormSchema, submissionHeaders } from './submission.ts';
import { FILE_TYPES, fileListSchema, fileParams } from './supporting-file.ts';

/** What stands out in very many rows is computed when it is first asked for, and marks them. */
const REVIEW_TIMEOUT_MS = 300_000;
/** Every row is checked before the answer. */
/** To send a file of half a gibibyte, and to check and store a million rows. */
export const SUBMISSION_TIMEOUT_MS = 2_400_000;

export const runReadEndpoints = endpoints({
  listRuns: {
    method: 'GET',
    path: '/runs',
    access: 'read_runs',
    limitedBy: 'account',
    tag: 'runs',
    summary: 'Runs of the accounts that you may use, the newest first unless another order is asked for',
    query: runListQuery,
    answers: { 200: json('A page of runs.', runPageSchema) },
    errors: [400],
  },
  getRun: {
    method: 'GET',
    path: '/runs/:runId',
    access: 'read_runs',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'One run: its proposal, its state, its rows by state',
    params: runParams,
    answers: { 200: json('The run, and what you may do with it.', runDetailSchema) },
    errors: [400, 404],
  },
  eraseRun: {
    method: 'POST',
    path: '/runs/:runId/erase',
    access: 'erase_run',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'Propose to destroy what a run has of its payees; a second administrator confirms it',
    description:
      'Not before `erasableFrom`, which the policy sets, and not while the outcome of a row is open. Hashes, amounts and states stay. It ' +
      'cannot be undone.',
    params: runParams,
    answers: { 200: json('What became of it.', doneOrChangeSchema) },
    errors: [400, 404, 409],
  },
  getRowByLine: {
    method: 'GET',
    path: '/runs/:runId/row/:line',
    access: 'read_runs',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'runs',
    summary: 'The row on a line of the file, with its evidence and what you may do with it',
    description: 'A row_ref may repeat among invalid rows; a line does not. Bank details need read_instructions.',
    params: rowLineParams,
    answers: { 200: json('The row.', actionableRowSchema) },
    errors: [400, 404],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
});

export const rowEndpoints = endpoints({
  listRows: {
    method: 'GET',
    path: '/runs/:runId/rows',
    access: 'read_runs',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'runs',
    summary: 'Rows of a run, in input order unless another one is asked for',
    description:
      'A page begins at a position (`from`), after a line (`afterLine`), or where another one has ended (`after`). Bank ' +
      'details, reference, purpose and files need the permission read_instructions, and so do the filters `mark` and `finding`.',
    params: runParams,
    query: rowListQuery,
    answers: { 200: json('A page of rows.', rowPageSchema) },
    errors: [400, 404],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
});

export const submissionEndpoints = endpoints({
  submitRun: {
    method: 'POST',
    path: '/runs',
    access: 'submit_run',
    limitedBy: 'account',
    tag: 'runs',
    summary: 'Submit a payment file',
    description:
      'Checks every row, and starts a run when the file is accepted. Nothing is paid before its approval. Sent again ' +
      'with the same Idempotency-Key by the same user, the same submission is the same run; another one is refused (409), ' +
      'and `details.runId` names the run of that key.',
    headers: submissionHeaders,
    form: submissionFormSchema,
    answers: { 201: json('The run was started.', acceptedSubmissionSchema) },
    errors: [400, 409, 413, 415, 422],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
});

/** Suspected duplicates that are to be paid all the same. The database decides who may release them. */
export const releaseEndpoints = endpoints({
  findSuspects: {
    method: 'GET',
    path: '/runs/:runId/suspects',
    access: 'decide_run',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'Suspected duplicates that one release would pay',
    description: 'How many there are, their sums, and the runs that they may repeat. A release names the `hash`.',
    params: runParams,
    query: suspectQuery,
    answers: { 200: json('What would be released.', suspectedRowsSchema) },
    errors: [400, 404],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
  releaseRows: {
    method: 'POST',
    path: '/runs/:runId/suspects/release',
    access: 'decide_run',
    limitedBy: 'runId',
    reads: ['read_instructions'],
    tag: 'decisions',
    summary: 'Release suspected duplicates: a row, those that are found by a filter, or all',
    description:
      'The rows are paid with their run, which is proposed again and needs all its approvals. It counts for the rows that were ' +
      'seen, and for what they may repeat. Makers never release rows of their own runs.',
    params: runParams,
    body: releaseRequestSchema,
    answers: { 200: json('How many were released.', releasedRowsSchema) },
    errors: [400, 404, 409, 415],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
});

/** What a decision is based on: the findings about a run, and the documents that it was submitted with. */
export const reviewEndpoints = endpoints({
  getReview: {
    method: 'GET',
    path: '/runs/:runId/review',
    access: 'read_instructions',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'What stands out in the rows that a run would pay',
    description:
      'A file that was submitted before, changed bank accounts, accounts of several names, unusual amounts, warnings of the file ' +
      'check, new beneficiaries, later days.',
    params: runParams,
    answers: { 200: json('The findings.', reviewSchema) },
    errors: [400, 404, 409],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
  getDifferences: {
    method: 'GET',
    path: '/runs/:runId/differences',
    access: 'read_instructions',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'How a run differs from the last paid run of its kind',
    description:
      'New payees, missing ones, other accounts, and amounts that differ by more than `changedAmountPercent` of the policy (20); the ' +
      'rest is counted.',
    params: runParams,
    query: differencesQuery,
    answers: { 200: json('A page of differences.', differencesSchema) },
    errors: [400, 404],
    timeoutMs: REVIEW_TIMEOUT_MS,
  },
  listFiles: {
    method: 'GET',
    path: '/runs/:runId/files',
    access: 'read_instructions',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'The supporting files of a run, by name',
    params: runParams,
    answers: { 200: json('The files.', fileListSchema) },
    errors: [400, 404],
  },
  getFile: {
    method: 'GET',
    path: '/runs/:runId/files/:name',
    access: 'read_instructions',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'A supporting file as it was submitted',
    params: fileParams,
    answers: { 200: bytes('The file.', FILE_TYPES) },
    errors: [400, 404],
  },
});

/** `sheet.csv`, `proposal.csv`, `results.csv` and `exceptions.csv`. */
export const runFileEndpoints = endpoints({
  getSheet: {
    method: 'GET',
    path: '/runs/:runId/sheet.csv',
    access: 'read_instructions',
    limitedBy: 'runId',
    isReport: true,
    tag: 'runs',
    summary: 'The headers and cells of the submitted sheet, with the line of each row, to compare the run with it',
    params: runParams,
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400, 404, 409],
  },
  getProposal: {
    method: 'GET',
    path: '/runs/:runId/proposal.csv',
    access: 'read_instructions',
    limitedBy: 'runId',
    isReport: true,
    tag: 'runs',
    summary: 'A line for every row, with what it is expected to cost, what the payee will read and what stands out',
    params: runParams,
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400, 404],
  },
  getResults: {
    method: 'GET',
    path: '/runs/:runId/results.csv',
    access: 'read_instructions',
    limitedBy: 'runId',
    isReport: true,
    tag: 'runs',
    summary: 'A line for every input row, in input order',
    params: runParams,
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400, 404],
  },
  getExceptions: {
    method: 'GET',
    path: '/runs/:runId/exceptions.csv',
    access: 'read_instructions',
    limitedBy: 'runId',
    isReport: true,
    tag: 'runs',
    summary: 'The rows known not to be paid, to correct and submit again',
    params: runParams,
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400, 404],
  },
});

export const runEventEndpoints = endpoints({
  watchRun: {
    method: 'GET',
    path: '/runs/:runId/events',
    access: 'read_runs',
    limitedBy: 'runId',
    tag: 'runs',
    summary: 'A run as it changes',
    description:
      'Server-sent events: `summary` holds the run (schema Run) at the start and whenever it has changed; `end` ' +
      'comes when the run has ended. A stream that ends without it was interrupted: connect again.',
    params: runParams,
    answers: { 200: text('The events.', 'text/event-stream') },
    errors: [400, 404],
  },
});

export const runEndpoints = {
  ...runReadEndpoints,
  ...rowEndpoints,
  ...submissionEndpoints,
  ...releaseEndpoints,
  ...reviewEndpoints,
  ...runFileEndpoints,
  ...runEventEndpoints,
};
