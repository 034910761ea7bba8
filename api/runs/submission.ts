import { z } from 'zod';
import { profileSchema } from '../../domain/import-profiles/profile.ts';
import { MAX_FILE_BYTES } from '../../domain/payment-file/supporting-file.ts';
import { flagInQuery } from '../fields.ts';
import { rowProblemSchema } from '../payment-file/row-problem.ts';

/** A million rows have 250 to 450 MB. */
export const PAYMENT_FILE_LIMIT_BYTES = 512 * 1024 * 1024;
export const FILE_LIMIT_BYTES = MAX_FILE_BYTES;
export const FILE_COUNT_LIMIT = 2_000;
/** All supporting files of one submission together: they are on disk until they are stored. */
export const FILES_LIMIT_BYTES = 512 * 1024 * 1024;
export const FIELD_LIMIT_BYTES = 1024 * 1024;

/** The fields of a submission beside its files, once `profile` has been read from JSON. */
export const submissionFieldsSchema = z.strictObject({
  profile: profileSchema
    .nullable()
    .default(null)
    .describe(
      'JSON object: how the file is read, as `POST /api/v1/readings` proposes it. Absent: its headers ' +
        'are ours, or those of a sheet whose run was approved before, and it is read alike.',
    ),
  account: z.string().min(1).max(100).nullable().default(null).describe("The provider's account to pay from."),
  onInvalid: z
    .enum(['reject', 'skip'])
    .default('reject')
    .describe('What becomes of a file with invalid rows: all of it is refused, or those rows are left out.'),
  checkOnly: flagInQuery.describe(
    'The run is checked only, and shown with its findings and its cost: nobody decides on it until its maker sends it for approval.',
  ),
});

export type SubmissionFields = z.output<typeof submissionFieldsSchema>;

const binary = z.string().meta({ format: 'binary' });

/** The whole form, as the description of the API shows it. */
export const submissionFormSchema = submissionFieldsSchema
  .extend({
    file: binary.describe(
      `The payment file, at most ${PAYMENT_FILE_LIMIT_BYTES} bytes: CSV, XLSX, a payment order (pain.001.001.03 or .09), or rows as JSON: a list ` +
        'of objects whose names are columns and whose values are texts, such as `[{"row_ref": "A", "amount": "10.00"}]`. The bytes say which.',
    ),
    files: z
      .array(binary)
      .max(FILE_COUNT_LIMIT)
      .optional()
      .describe(`Supporting files by the names that the rows mention, at most ${FILE_LIMIT_BYTES} bytes each.`),
  })
  .meta({ id: 'Submission' });

export const submissionHeaders = z.object({
  'idempotency-key': z.string().optional().describe('1 to 200 visible ASCII characters.'),
});

export const acceptedSubmissionSchema = z
  .object({
    runId: z.string(),
    skipped: z.array(rowProblemSchema).describe('What is wrong with rows that were left out: the first 1,000 things.'),
    skippedCount: z.int().describe('How many things in all.'),
    warnings: z.array(rowProblemSchema).describe('The first 1,000 warnings.'),
    warningCount: z.int().describe('How many in all.'),
  })
  .meta({ id: 'AcceptedSubmission', description: 'What became of a file that was accepted.' });
export type AcceptedSubmission = z.infer<typeof acceptedSubmissionSchema>;
