import { z } from 'zod';
import { CELL_PART_NAMES } from '../../domain/import-profiles/column-steps.ts';
import { COLUMN_NEEDS } from '../../domain/payment-file/csv-column.ts';

/** What a payment file may hold. */

const fileColumnSchema = z.object({
  name: z.string(),
  need: z
    .enum(COLUMN_NEEDS)
    .describe(
      '`always`: every row fills it, itself or by a text for every row. `with_details`: every row that does not name its beneficiary by ' +
        '`beneficiary_id` or `beneficiary_key`. `by_requirements`: where the provider asks for it. `optional`: nobody has to.',
    ),
  example: z.string(),
  description: z.string(),
  steps: z
    .object({
      joins: z.boolean(),
      parts: z.array(z.enum(CELL_PART_NAMES)),
      prefixes: z.boolean(),
      translates: z.boolean(),
    })
    .describe(
      'What a profile may do with its cells: join those of several headers, take a part, put a text before, translate.',
    ),
});
export type FileColumn = z.infer<typeof fileColumnSchema>;

export const fileColumnsSchema = z
  .object({ columns: z.array(fileColumnSchema) })
  .meta({ id: 'FileColumns', description: 'The columns of a payment file, in the order of the template.' });
