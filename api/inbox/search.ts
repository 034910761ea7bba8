import { z } from 'zod';
import { amount, instant, plainText } from '../fields.ts';

/** Search over what the acting user may see. */

export const searchQuery = z.object({
  q: plainText(256).describe(
    'An id or its beginning, a `row_ref`, the reference of a case, a file name, the beginning of a name, an amount, a whole ' +
      'payment reference, in capitals or not (A to Z at least), or the last four characters of an account number (these two need read_instructions).',
  ),
});

export const HIT_KINDS = ['run', 'row', 'order', 'case'] as const;
export const MATCHES = ['id', 'reference', 'name', 'amount', 'account'] as const;

const hitSchema = z
  .object({
    kind: z.enum(HIT_KINDS),
    id: z.string().describe('Id of the run, the payment, the order or the case.'),
    title: z.string(),
    matched: z.enum(MATCHES).describe('`reference`: of a row, its `row_ref` or its payment reference.'),
    state: z.string(),
    account: z.string(),
    at: instant.describe('When it was submitted or placed.'),
    runId: z.string().nullable(),
    line: z.int().nullable().describe('Line of a row in its file.'),
    currency: z.string().nullable(),
    amount: amount.nullable(),
  })
  .meta({ id: 'SearchHit' });
export type SearchHit = z.infer<typeof hitSchema>;

export const searchAnswerSchema = z
  .object({
    hits: z
      .array(hitSchema)
      .describe('The best first: ids, then references, then the rest; the newest first. At most 50.'),
    hasMore: z.boolean(),
  })
  .meta({ id: 'SearchAnswer' });
export type SearchAnswer = z.infer<typeof searchAnswerSchema>;
