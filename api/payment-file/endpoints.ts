import { json, text } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { fileColumnsSchema } from './column.ts';

/** What a payment file may hold, for whoever writes the first one. */
export const fileColumnEndpoints = endpoints({
  listFileColumns: {
    method: 'GET',
    path: '/payment-file/columns',
    access: 'signed_in',
    tag: 'runs',
    summary: 'The columns of a payment file: when each is needed, an example, and what it holds',
    answers: { 200: json('The columns.', fileColumnsSchema) },
  },
  getFileTemplate: {
    method: 'GET',
    path: '/payment-file/template.csv',
    access: 'signed_in',
    tag: 'runs',
    summary: 'A payment file with a header and no rows; columns that nobody needs may be removed',
    answers: { 200: text('The file.', 'text/csv') },
  },
});

export const paymentFileEndpoints = { ...fileColumnEndpoints };
