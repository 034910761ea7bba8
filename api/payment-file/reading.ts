import { z } from 'zod';
import {
  amountFormSchema,
  columnSourceSchema,
  dateFormSchema,
  type ProfileInput as DomainProfileInput,
  profileSchema,
} from '../../domain/import-profiles/profile.ts';
import { SHEET_USES } from '../../domain/import-profiles/sheet-use.ts';
import { submissionFieldsSchema } from '../runs/submission.ts';
import { rowProblemSchema } from './row-problem.ts';

/** How a sheet that was not made for payrun is read: proposed, and decided by a person. */

export type ProfileInput = DomainProfileInput;

/** How the file itself is read; what is left out is found. */
export const wantedReadingSchema = z.strictObject({
  encoding: z.string().max(40).optional().describe('A label of TextDecoder, such as `windows-1252`.'),
  delimiter: z.string().length(1).optional(),
  sheetName: z
    .string()
    .max(200)
    .optional()
    .describe('Of a workbook with several sheets, or a payment order with several blocks (PmtInfId).'),
  headerLine: z.int().min(0).max(1000).optional().describe('The line of the headers, from 1; 0: there are none.'),
});
export type WantedReading = z.output<typeof wantedReadingSchema>;

const binary = z.string().meta({ format: 'binary' });

/** The fields beside the file, once they have been read from JSON. */
export const readingFieldsSchema = z.strictObject({
  account: submissionFieldsSchema.shape.account.describe(
    'Whose known profiles may read the sheet. Null: as for a submission; where that would have to name it, those of none.',
  ),
  profile: profileSchema.nullable().default(null).describe('JSON object: what is decided already.'),
  reading: wantedReadingSchema.default({}).describe('JSON object: how the file itself is read, as somebody chose.'),
  use: z
    .enum(SHEET_USES)
    .default('payments')
    .describe('What its rows are: payments, or accounts for the book of beneficiaries.'),
});

export const readingFormSchema = readingFieldsSchema
  .extend({
    file: binary.describe(
      'The sheet: CSV, XLSX, a payment order (pain.001.001.03 or .09), or a list of objects as JSON.',
    ),
  })
  .meta({ id: 'SheetToRead' });

const cellSchema = z.object({ header: z.string(), cell: z.string() });

const candidateSchema = z.object({
  source: columnSourceSchema,
  why: z.enum(['header', 'contents', 'both', 'known']),
  isSure: z.boolean(),
  reason: z.string().describe('A sentence for the person who decides.'),
});

const readingSample = z.object({ line: z.int(), cell: z.string(), read: z.string().nullable() });

export const sheetReadingProposalSchema = z
  .object({
    form: z.enum(['csv', 'xlsx', 'pain001', 'json']),
    from: z
      .enum(['given', 'own_columns', 'known', 'ready', 'proposed'])
      .describe(
        'Where the profile comes from: what was given, our own columns, an approved run with the same headers, one that comes with ' +
          'payrun, headers and cells.',
      ),
    profile: profileSchema.describe('With everything that is decided.'),
    headers: z.array(z.string()).describe('One name for each column.'),
    rowCount: z.int(),
    droppedColumns: z.array(z.string()).describe('Empty ones, as spreadsheets name them.'),
    leftOut: z
      .object({ rows: z.array(z.object({ line: z.int(), because: z.string() })), count: z.int() })
      .describe('Rows that are no payments: titles, sums, notes. The first 100.'),
    notes: z.array(rowProblemSchema).describe('What is to be known of the file, such as hidden rows.'),
    choices: z
      .array(
        z.object({
          what: z.enum(['encoding', 'delimiter']),
          chosen: z.string(),
          because: z.string(),
          sample: z.array(z.array(z.string())),
          others: z.array(z.object({ value: z.string(), sample: z.array(z.array(z.string())) })),
        }),
      )
      .describe('What the file does not say by itself: how it is read, and how else it could be.'),
    columns: z
      .array(z.object({ column: z.string(), candidates: z.array(candidateSchema), isDecided: z.boolean() }))
      .describe('What may fill our columns, the best first. Not decided: it is not in the profile.'),
    amountForms: z
      .array(z.object({ form: amountFormSchema, rows: z.array(readingSample) }))
      .describe('How amounts may be written, with rows that tell the readings apart.'),
    dateForms: z.array(z.object({ form: dateFormSchema, rows: z.array(readingSample) })),
    missingColumns: z
      .array(z.string())
      .describe('Columns that every row needs, or every one that describes its beneficiary, and nothing fills yet.'),
    undecided: z.array(z.enum(['amount', 'pay_on'])).describe('Columns whose form is not decided yet.'),
    rows: z
      .array(
        z.object({
          line: z.int(),
          theirs: z.array(cellSchema),
          ours: z.array(
            z.object({ column: z.string(), text: z.string(), from: z.array(cellSchema), isChanged: z.boolean() }),
          ),
          ignored: z.array(cellSchema),
          problems: z.array(rowProblemSchema.extend({ header: z.string().nullable() })),
        }),
      )
      .describe('The first three rows beside what they are read as.'),
  })
  .meta({ id: 'SheetReadingProposal', description: 'How a sheet would be read, and what is to be decided.' });
export type SheetReadingProposal = z.infer<typeof sheetReadingProposalSchema>;
