import { json, nothing, text } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { SUBMISSION_TIMEOUT_MS } from '../runs/endpoints.ts';
import { acceptedSubmissionSchema } from '../runs/submission.ts';
import { corridorTemplateQuery } from './corridor-template.ts';
import { readingFormSchema, sheetReadingProposalSchema } from './reading.ts';
import { fileColumnsSchema } from './column.ts';
import {
  draftChangeSchema,
  draftFileFormSchema,
  draftFormSchema,
  draftListSchema,
  draftParams,
  draftRowsQuery,
  draftRowsSchema,
  draftSchema,
  draftSubmissionSchema,
} from './draft.ts';

/** What a payment file may hold, for whoever writes the first one. */
export const fileColumnEndpoints = endpoints({
  listFileColumns: {
    method: 'GET',
    path: '/payment-file/columns',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'runs',
    summary: 'The columns of a payment file: when each is needed, an example, and what it holds',
    answers: { 200: json('The columns.', fileColumnsSchema) },
  },
  getFileTemplate: {
    method: 'GET',
    path: '/payment-file/template.csv',
    access: 'signed_in',
    limitedBy: 'nothing',
    tag: 'runs',
    summary: 'A payment file with a header and no rows; columns that nobody needs may be removed',
    answers: { 200: text('The file.', 'text/csv') },
  },
  getCorridorTemplate: {
    method: 'GET',
    path: '/payment-file/corridor.csv',
    access: 'submit_run',
    limitedBy: 'account',
    isReport: true,
    tag: 'runs',
    summary: 'A payment file with the columns that one currency and country need, and an example row',
    description:
      'By what the provider requires of companies there. The example has `fill in` for the amount, for the account, and where no example ' +
      'fits, so that it is never paid as it is.',
    query: corridorTemplateQuery,
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400, 503],
  },
});

/** Payment files that their makers correct before they submit them. */
export const draftEndpoints = endpoints({
  addDraft: {
    method: 'POST',
    path: '/drafts',
    access: 'submit_run',
    limitedBy: 'account',
    tag: 'drafts',
    summary: 'Keep a payment file to correct it',
    description:
      'Takes the form of a submission, whatever is wrong with the cells of the file, and checks it. Nobody else sees it. It is ' +
      'deleted once it was submitted, or when it was not changed for a while.',
    form: draftFormSchema,
    answers: { 201: json('The draft, with what is wrong.', draftSchema) },
    errors: [400, 409, 413, 415],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
  listDrafts: {
    method: 'GET',
    path: '/drafts',
    access: 'submit_run',
    limitedBy: 'user',
    tag: 'drafts',
    summary: 'Your drafts, those that were changed last first',
    answers: { 200: json('The drafts.', draftListSchema) },
  },
  getDraft: {
    method: 'GET',
    path: '/drafts/:draftId',
    access: 'submit_run',
    limitedBy: 'user',
    reads: ['read_instructions'],
    tag: 'drafts',
    summary: 'One of your drafts, with what is wrong by cause',
    params: draftParams,
    answers: { 200: json('The draft.', draftSchema) },
    errors: [400, 404],
  },
  listDraftRows: {
    method: 'GET',
    path: '/drafts/:draftId/rows',
    access: 'submit_run',
    limitedBy: 'user',
    reads: ['read_instructions'],
    tag: 'drafts',
    summary: 'Rows of a draft with what is wrong in each',
    params: draftParams,
    query: draftRowsQuery,
    answers: { 200: json('The rows.', draftRowsSchema) },
    errors: [400, 404],
  },
  changeDraft: {
    method: 'PATCH',
    path: '/drafts/:draftId',
    access: 'submit_run',
    limitedBy: 'user',
    reads: ['read_instructions'],
    tag: 'drafts',
    summary: 'Change cells of a draft, and check it again',
    params: draftParams,
    body: draftChangeSchema,
    answers: { 200: json('The draft afterwards.', draftSchema) },
    errors: [400, 404, 409, 413, 415],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
  addDraftFile: {
    method: 'POST',
    path: '/drafts/:draftId/files',
    access: 'submit_run',
    limitedBy: 'user',
    reads: ['read_instructions'],
    tag: 'drafts',
    summary: 'Add a supporting file to a draft, and check it again',
    description: 'One that has the name of another is refused: remove that one first, by `removeFiles` of a change.',
    params: draftParams,
    form: draftFileFormSchema,
    answers: { 200: json('The draft afterwards.', draftSchema) },
    errors: [400, 404, 409, 413, 415],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
  submitDraft: {
    method: 'POST',
    path: '/drafts/:draftId/submit',
    access: 'submit_run',
    limitedBy: 'user',
    tag: 'drafts',
    summary: 'Submit a corrected file',
    description: 'As any other file is. Once it is accepted, the draft is deleted; a refused one stays.',
    params: draftParams,
    body: draftSubmissionSchema,
    answers: { 201: json('The run was started.', acceptedSubmissionSchema) },
    errors: [400, 404, 409, 415, 422],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
  deleteDraft: {
    method: 'DELETE',
    path: '/drafts/:draftId',
    access: 'submit_run',
    limitedBy: 'user',
    tag: 'drafts',
    summary: 'Delete one of your drafts',
    params: draftParams,
    answers: { 204: nothing('It is deleted.') },
    errors: [400, 404],
  },
});

/** Sheets that were not made for payrun. */
export const sheetReadingEndpoints = endpoints({
  proposeReading: {
    method: 'POST',
    path: '/readings',
    access: 'edit_beneficiaries',
    limitedBy: 'account',
    tag: 'drafts',
    summary: 'How a sheet would be read, and what is to be decided',
    description:
      'Nothing of it is stored. Proposes a profile from the headers and the cells, and shows three rows as they would be read. Send it ' +
      'again with the profile as you decided; then submit the file with that profile. A workbook with several sheets is refused with ' +
      '`sheetNames`: send one of them.',
    form: readingFormSchema,
    answers: { 200: json('The proposal.', sheetReadingProposalSchema) },
    errors: [400, 413, 415, 422],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
});

export const paymentFileEndpoints = { ...fileColumnEndpoints, ...draftEndpoints, ...sheetReadingEndpoints };
