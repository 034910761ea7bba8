import { z } from 'zod';
import { countInQuery, dayOrTimeInQuery, instant } from '../fields.ts';

export const auditEntrySummarySchema = z
  .object({
    entryId: z.int(),
    at: instant,
    actor: z.string().describe("A person's id, or the part of payrun that acted."),
    person: z.string().nullable().describe("The person's name; null: it was a part of payrun."),
    kind: z.string(),
    runId: z.string().nullable().describe('Null: it belongs to no run.'),
    paymentId: z.string().nullable().describe('Null: it is of the run as a whole.'),
    rowRef: z.string().nullable(),
    line: z.int().nullable(),
    detail: z.record(z.string(), z.unknown()).describe('Identifiers, codes and counts.'),
    remark: z.string().nullable().describe('What a person wrote with it; null: nothing, or it was erased.'),
  })
  .meta({ id: 'AuditEntry', description: 'One entry of the audit trail.' });
export type AuditEntrySummary = z.infer<typeof auditEntrySummarySchema>;

export const auditPageSchema = z.object({
  entries: z.array(auditEntrySummarySchema),
  nextAfterEntry: z.int().nullable().describe('`afterEntry` of the next page; null: this is the last.'),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

export const runAuditQuery = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
  rowRef: z.string().min(1).max(200).nullable().default(null).describe('Only entries of rows with this reference.'),
  by: z.enum(['people']).nullable().default(null).describe('`people`: only what people did, nothing that payrun did.'),
});

export const globalAuditQuery = z.object({
  limit: countInQuery(1, 1000, 200),
  afterEntry: countInQuery(0, Number.MAX_SAFE_INTEGER, 0),
  kind: z.string().min(1).max(100).nullable().default(null).describe('Only entries of this kind.'),
  from: z.string().max(40).nullable().default(null).describe('Only entries since this day or time, ISO 8601.'),
  to: dayOrTimeInQuery.describe('Only entries before this time, or up to the end of this day, UTC.'),
  userId: z.guid('is not the id of a user').toLowerCase().nullable().default(null).describe('Only what this user did.'),
  order: z
    .enum(['oldest', 'newest'])
    .default('oldest')
    .describe(
      'Which entry comes first. `afterEntry` is the last one of the page before in this order; 0: the first page.',
    ),
});
export type GlobalAuditQuery = z.output<typeof globalAuditQuery>;

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i;

/** `POSITION:HASH`, as `head` of an earlier verification. */
const auditHeadInQuery = z
  .string()
  .regex(HEAD, 'must be POSITION:HASH, as an earlier verification gave them')
  .transform((text) => {
    const [, position = '', hash = ''] = HEAD.exec(text) ?? [];
    return { position: Number(position), hash: hash.toLowerCase() };
  })
  .nullable()
  .default(null)
  .describe('A head that was noted earlier, as `POSITION:HASH`: it must still be in the chain.');

export const auditVerificationQuery = z.object({ head: auditHeadInQuery });

export const auditReportSchema = z
  .object({
    broken: z
      .object({
        position: z.int().describe('Position in the chain of entries, from 1.'),
        entryId: z.int().nullable(),
        problem: z.enum([
          'link_missing',
          'entry_missing',
          'entry_not_chained',
          'out_of_order',
          'hash_differs',
          'head_differs',
        ]),
      })
      .nullable()
      .describe('The first break; null: every chained entry is as it was when it was chained.'),
    chained: z.int().describe('Entries, from the first on, that are unbroken.'),
    head: z
      .object({ position: z.int(), hash: z.string().describe('SHA-256, hex.') })
      .nullable()
      .describe('What to keep outside of payrun; null: nothing is chained, or something is broken.'),
    unchained: z.int().describe('Entries that are not chained yet: those of the last second or two.'),
    unchainedSince: instant.nullable(),
    afterNotedSince: instant
      .nullable()
      .describe('When the first entry after the noted head was written; null: there is none, or no head was noted.'),
  })
  .meta({ id: 'AuditReport', description: 'Whether the audit trail is unbroken.' });
export type AuditReport = z.infer<typeof auditReportSchema>;

export const remarkParams = z.object({ remarkId: z.guid('is not the id of a remark').toLowerCase() });
