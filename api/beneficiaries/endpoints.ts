import { z } from 'zod';
import { BENEFICIARY_ACCOUNT_STATES } from '../../domain/beneficiaries/beneficiary-account-state.ts';
import { json, text } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { readingFieldsSchema } from '../payment-file/reading.ts';
import { SUBMISSION_TIMEOUT_MS } from '../runs/endpoints.ts';
import { countInQuery, instant, person, plainText, remark } from '../fields.ts';

/** The book of beneficiaries of an account with the provider: who is known, at which accounts, and who has confirmed them. */

const account = z.string().min(1).max(100).nullable().default(null).describe('Null: the only one that you may use.');

const called = z
  .object({ person: plainText(200), number: plainText(60), numberFrom: plainText(300) })
  .describe('Whom you called, at which number, and where it was known from before.');

const paidSchema = z.object({
  currency: z.string(),
  payments: z.int(),
  usualAmount: z.string().describe('The median, a decimal string.'),
  lastAmount: z.string(),
  lastAt: instant,
  lastRunId: z.string(),
});

const lineSchema = z
  .object({
    id: z.string(),
    hash: z.string().describe('Of what the line says: a confirmation is of what was seen.'),
    currency: z.string(),
    state: z.enum(BENEFICIARY_ACCOUNT_STATES),
    source: z.enum(['by_hand', 'import']),
    isChange: z.boolean().describe('It waits, and the beneficiary had another account: a confirmation needs a call.'),
    objection: z
      .string()
      .nullable()
      .describe(
        'Why you may not confirm it; null: nothing speaks against it, it is not proposed, or several are listed.',
      ),
    columns: z
      .record(z.string(), z.string())
      .nullable()
      .describe('By the columns of a payment file. Null: it cannot be read.'),
    addedBy: person,
    addedAt: instant,
    confirmedBy: person.nullable(),
    confirmedAt: instant.nullable(),
    confirmation: z.object({ called: called.nullable(), note: z.string() }).nullable(),
    endedBy: person.nullable(),
    endedAt: instant.nullable(),
    paid: z.array(paidSchema).describe('What was paid to the account; of one beneficiary alone.'),
  })
  .meta({ id: 'BeneficiaryAccount' });

const beneficiarySchema = z
  .object({ key: z.string(), names: z.array(z.string()), accounts: z.array(lineSchema) })
  .meta({ id: 'Beneficiary' });
export type Beneficiary = z.infer<typeof beneficiarySchema>;
export type BeneficiaryAccount = Beneficiary['accounts'][number];

const heldRowSchema = z
  .object({ runId: z.string(), fileName: z.string(), line: z.int(), amount: z.string(), currency: z.string() })
  .meta({ id: 'RowHeldByBook', description: 'A row that is held until its account is confirmed.' });

const pageSchema = z
  .object({
    account: z.string().describe('Whose book it is.'),
    beneficiaries: z.array(beneficiarySchema),
    heldRows: z
      .array(heldRowSchema)
      .describe('Of one beneficiary alone: those under its names or to its accounts, 50 at most.'),
    nextAfter: z.string().nullable().describe('Send it as `after` for the next page; null: this is the last one.'),
  })
  .meta({ id: 'BeneficiaryPage' });
export type BookPage = z.infer<typeof pageSchema>;

const listQuery = z.object({
  account,
  key: z.string().max(64).nullable().default(null).describe('This beneficiary alone, with what it was paid.'),
  q: z
    .string()
    .max(200)
    .nullable()
    .default(null)
    .describe('The beginning of a key, words of a name, or the end of an account.'),
  payment: z
    .uuid()
    .nullable()
    .default(null)
    .describe('Those with the account, or the name, of this row: `paymentId` of a row.'),
  state: z.enum(BENEFICIARY_ACCOUNT_STATES).nullable().default(null).describe('Those with an account in this state.'),
  after: z.string().max(64).nullable().default(null).describe('The key at the end of the page before.'),
  limit: countInQuery(1, 200, 50),
});

/** The fields beside the sheet, once they have been read from JSON. */
export const bookFieldsSchema = readingFieldsSchema
  .omit({ use: true })
  .extend({ account, source: z.enum(['by_hand', 'import']).default('import') });

const bookFormSchema = bookFieldsSchema
  .extend({
    file: z
      .string()
      .meta({ format: 'binary' })
      .describe(
        'A sheet of any form, or a list of objects as JSON: `beneficiary_key`, `bank_currency` and the beneficiary and bank columns of a ' +
          'payment file, or what a profile makes of other headers. 5,000 lines at most.',
      ),
  })
  .meta({ id: 'BeneficiariesToAdd' });

const seen = z.object({ id: z.uuid(), hash: z.string().max(64) });

export const beneficiaryEndpoints = endpoints({
  listBeneficiaries: {
    method: 'GET',
    path: '/beneficiaries',
    access: 'read_instructions',
    limitedBy: 'account',
    tag: 'beneficiaries',
    summary: 'Beneficiaries of the book with their accounts, by their keys',
    query: listQuery,
    answers: { 200: json('A page of them.', pageSchema) },
    errors: [400],
  },
  exportBeneficiaries: {
    method: 'GET',
    path: '/beneficiaries/book.csv',
    access: 'read_instructions',
    limitedBy: 'account',
    tag: 'beneficiaries',
    summary: 'The accounts of the book that are not ended, as a CSV that can be imported',
    query: z.object({ account }),
    answers: { 200: text('The file.', 'text/csv') },
    errors: [400],
  },
  addBeneficiaries: {
    method: 'POST',
    path: '/beneficiaries',
    access: 'edit_beneficiaries',
    limitedBy: 'account',
    tag: 'beneficiaries',
    summary: 'Add accounts to the book',
    description:
      'What is there already is not added again. A second person confirms each. Lines with problems refuse all of them.',
    form: bookFormSchema,
    answers: { 200: json('How many were added, and were there.', z.object({ added: z.int(), known: z.int() })) },
    errors: [400, 409, 413, 415, 422],
    timeoutMs: SUBMISSION_TIMEOUT_MS,
  },
  confirmBeneficiaries: {
    method: 'POST',
    path: '/beneficiaries/confirm',
    access: 'decide_run',
    limitedBy: 'account',
    tag: 'beneficiaries',
    summary: 'Confirm accounts that someone else added',
    description:
      'Rows of undecided runs that they held are released. An account in place of another one needs a call. Neither who added it nor the ' +
      'maker of a run that it holds may confirm it.',
    body: z.strictObject({
      account,
      accounts: z.array(seen).min(1).max(1000),
      called: called.nullable(),
      note: remark,
    }),
    answers: {
      200: json('How many, and how many rows were released.', z.object({ confirmed: z.int(), released: z.int() })),
    },
    errors: [400, 404, 409, 415],
  },
  endBeneficiaries: {
    method: 'POST',
    path: '/beneficiaries/end',
    access: 'edit_beneficiaries',
    limitedBy: 'account',
    tag: 'beneficiaries',
    summary: 'End confirmed accounts, or reject proposed ones',
    body: z.strictObject({ account, ids: z.array(z.uuid()).min(1).max(1000), reason: remark.nullable().default(null) }),
    answers: { 200: json('How many.', z.object({ ended: z.int() })) },
    errors: [400, 409, 415],
  },
});
