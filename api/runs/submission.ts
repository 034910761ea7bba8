import { z } from 'zod';
import { MAX_FILE_BYTES } from '../../domain/payment-file/supporting-file.ts';
import { rowProblemSchema } from '../payment-file/row-problem.ts';

export const CSV_LIMIT_BYTES = 200 * 1024 * 1024;
export const FILE_LIMIT_BYTES = MAX_FILE_BYTES;
export const FILE_COUNT_LIMIT = 2_000;
/** All supporting files of one submission together: they are on disk until they are stored. */
export const FILES_LIMIT_BYTES = 512 * 1024 * 1024;
export const FIELD_LIMIT_BYTES = 1024 * 1024;

/** More than a file may have columns, and each is read for every change of a draft. */
const NAME_LIMIT = 400;

export const namesToText = z
  .record(z.string(), z.string('must be text: put numbers in quotes, as in "100.00"'))
  .refine((names) => Object.keys(names).length <= NAME_LIMIT, `name at most ${NAME_LIMIT} columns`);

/** The fields of a submission beside its files, once `defaults` and `mapping` have been read from JSON. */
export const submissionFieldsSchema = z.strictObject({
  defaults: namesToText.default({}).describe('JSON object: columns that are the same for all rows.'),
  mapping: namesToText.default({}).describe("JSON object: other people's headers, each with our column."),
  account: z.string().min(1).max(100).nullable().default(null).describe("The provider's account to pay from."),
  onInvalid: z
    .enum(['reject', 'skip'])
    .default('reject')
    .describe('What becomes of a file with invalid rows: all of it is refused, or those rows are left out.'),
});

export type SubmissionFields = z.output<typeof submissionFieldsSchema>;

const binary = z.string().meta({ format: 'binary' });

/** The whole form, as the description of the API shows it. */
export const submissionFormSchema = submissionFieldsSchema
  .extend({
    csv: binary.describe(`The payment file, at most ${CSV_LIMIT_BYTES} bytes.`),
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
