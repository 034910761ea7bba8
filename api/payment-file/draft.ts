import { z } from 'zod';
import { countInQuery, instant } from '../fields.ts';
import { FILE_COUNT_LIMIT, FILE_LIMIT_BYTES, submissionFieldsSchema } from '../runs/submission.ts';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { rowProblemSchema } from './row-problem.ts';

/** A payment file that is corrected before it is submitted. It belongs to whoever made it: nobody else sees it. */

export const DRAFT_ROW_LIMIT = 10_000;
export const DRAFT_EDIT_LIMIT = 10_000;
/** Of one PATCH. */
export const DRAFT_BODY_LIMIT_BYTES = 4 * 1024 * 1024;

const binary = z.string().meta({ format: 'binary' });

/** The form of a new draft, as the description of the API shows it: that of a submission. */
export const draftFormSchema = submissionFieldsSchema
  .omit({ onInvalid: true, checkOnly: true })
  .extend({
    file: binary.describe(`The payment file, CSV or XLSX: at most ${DRAFT_ROW_LIMIT} rows.`),
    files: z.array(binary).optional().describe('Supporting files by the names that the rows mention.'),
  })
  .meta({ id: 'NewDraft' });

export const problemGroupSchema = z
  .object({
    code: z.string(),
    column: z.string().nullable().describe('One of `fields`; null: whole rows.'),
    header: z.string().nullable().describe('As in `RowProblem`.'),
    problem: z.string().describe('Problem of the first of them.'),
    fix: z.string(),
    count: z.int(),
    firstRow: z.int().nullable(),
    fillRows: z
      .int()
      .describe('How many rows one value may be set for: 0 where rows are told apart by the column, or no value fits.'),
    sameRowRef: z
      .array(z.array(z.int()))
      .describe('Of each repeated `row_ref` the rows that have it, in their order; none: the cause is another one.'),
    leaveOut: z
      .array(z.int())
      .describe(
        'Rows without which the cause is gone: of a repeated `row_ref` all but the first, and amounts that are not paid out.',
      ),
  })
  .meta({ id: 'ProblemGroup', description: 'Problems of one cause.' });

const leftOutSchema = z
  .object({
    rows: z.int(),
    sums: z.array(z.object({ currency: z.string(), amount: z.string() })).describe('By the currency that is fixed.'),
    unreadable: z.int().describe('Rows whose amount or currency cannot be read: they are in no sum.'),
  })
  .meta({ id: 'DraftLeftOut', description: 'The rows with a problem, which `onInvalid: skip` leaves out.' });

export const draftSchema = z
  .object({
    draftId: z.string(),
    account: z.string(),
    fileName: z.string(),
    columns: z.array(z.string()).describe('The header of the file.'),
    fields: z
      .array(z.array(z.string()))
      .describe('Our columns that each of them fills, as problems name them; none: it is not read.'),
    profile: profileSchema.describe('How the columns are read.'),
    notes: z.array(rowProblemSchema).describe('What is to be known of the file, such as hidden rows.'),
    files: z.array(z.string()).describe('Names of the supporting files.'),
    rowCount: z.int().describe('Without those that were removed.'),
    removedRows: z
      .array(z.int())
      .describe('Numbers of rows that were removed: they are not submitted, and can be put back.'),
    leftOut: leftOutSchema.nullable().describe('Null: rows with problems cannot be left out.'),
    revision: z.int().describe('Rises with each change: a change names the one that it was made on.'),
    problemCount: z.int(),
    problemRows: z.int().describe('Rows with a problem.'),
    warningCount: z.int(),
    fileProblems: z.array(rowProblemSchema).describe('Problems of the whole, in no row.'),
    groups: z.array(problemGroupSchema).describe('Problems by cause, the most frequent first: at most 200.'),
    createdAt: instant,
    changedAt: instant,
    deletedAt: instant.describe('When it is deleted, unless it is changed before.'),
  })
  .meta({ id: 'Draft', description: 'A payment file under correction.' });
export type Draft = z.infer<typeof draftSchema>;

export const draftListSchema = z.object({
  drafts: z.array(
    draftSchema
      .pick({
        draftId: true,
        account: true,
        fileName: true,
        rowCount: true,
        changedAt: true,
        deletedAt: true,
      })
      .extend({
        problemCount: z.int().nullable().describe('Null: what is recorded of it cannot be read. It can be deleted.'),
      })
      .meta({ id: 'DraftSummary' }),
  ),
});
export type DraftList = z.infer<typeof draftListSchema>;

const draftRowSchema = z
  .object({
    row: z
      .int()
      .describe('Number of the row in the sheet as it came, as spreadsheets and editors show it: it stays the same.'),
    cells: z.array(z.string()).describe('Cells in the order of `columns`.'),
    problems: z.array(rowProblemSchema).describe('`line` is the number of the row.'),
    warnings: z.array(rowProblemSchema),
  })
  .meta({ id: 'DraftRow' });
export type DraftRow = z.infer<typeof draftRowSchema>;

export const draftRowsQuery = z.object({
  from: countInQuery(0, DRAFT_ROW_LIMIT, 0).describe('Position of the first row among those that are shown.'),
  limit: countInQuery(1, 500, 100),
  only: z
    .enum(['all', 'problems', 'warnings', 'removed'])
    .default('problems')
    .describe('`all` are those that were not removed.'),
  code: z.string().max(100).nullable().default(null).describe('Only rows with this problem.'),
  column: z.string().max(200).nullable().default(null).describe('Only problems in this column; needs `code`.'),
});
export type DraftRowsQuery = z.output<typeof draftRowsQuery>;

export const draftRowsSchema = z
  .object({ revision: z.int(), total: z.int(), rows: z.array(draftRowSchema) })
  .meta({ id: 'DraftRows' });
export type DraftRows = z.infer<typeof draftRowsSchema>;

export const draftId = z.guid('is not the id of a draft').toLowerCase();
export const draftParams = z.object({ draftId });

const cellText = z
  .string()
  .max(10_000)
  .refine((text) => !/\p{Surrogate}/u.test(text), 'has half of a character');
const columnName = z
  .string()
  .min(1)
  .max(200)
  .describe('A header of the file, or one of `fields`; another column of payment files is added.');

export const draftChangeSchema = z
  .strictObject({
    revision: z.int().min(1).describe('The one that was seen: after another change it is refused (409).'),
    cells: z
      .array(z.strictObject({ row: z.int().min(1), column: columnName, value: cellText }))
      .max(DRAFT_EDIT_LIMIT)
      .default([]),
    fill: z
      .array(
        z.strictObject({
          column: columnName.describe('A header of the file, or one of `fields`; another one is added.'),
          value: cellText,
          code: z.string().max(100).nullable().default(null).describe('Only rows with this problem in this column.'),
          onlyEmpty: z.boolean().default(false),
        }),
      )
      .max(100)
      .default([])
      .describe('Sets a column of many rows.'),
    removeRows: z.array(z.int().min(1)).max(DRAFT_EDIT_LIMIT).default([]).describe('They can be put back.'),
    restoreRows: z.array(z.int().min(1)).max(DRAFT_EDIT_LIMIT).default([]).describe('Rows that were removed before.'),
    removeFiles: z.array(z.string().max(300)).max(FILE_COUNT_LIMIT).default([]).describe('Names of supporting files.'),
  })
  .meta({ id: 'DraftChange' });
export type DraftChange = z.output<typeof draftChangeSchema>;
export type DraftChangeRequest = z.input<typeof draftChangeSchema>;

/** The form of a supporting file for a draft. */
export const draftFileFieldsSchema = z.strictObject({
  revision: z.coerce.number().int().min(1).describe('The one that was seen: after another change it is refused (409).'),
});
export const draftFileFormSchema = draftFileFieldsSchema
  .extend({ file: binary.describe(`The file under the name that rows mention, at most ${FILE_LIMIT_BYTES} bytes.`) })
  .meta({ id: 'DraftFile' });

export const draftSubmissionSchema = z
  .strictObject({
    revision: z.int().min(1).describe('The one that was seen.'),
    onInvalid: z
      .enum(['reject', 'skip'])
      .default('reject')
      .describe(
        '`skip` leaves out the rows that the draft says have problems: if others have them by now, it is refused (409).',
      ),
    checkOnly: z
      .boolean()
      .default(false)
      .describe('The run is checked only: nobody decides on it until its maker sends it for approval.'),
  })
  .meta({ id: 'DraftSubmission' });
export type DraftSubmission = z.output<typeof draftSubmissionSchema>;
export type DraftSubmissionRequest = z.input<typeof draftSubmissionSchema>;
