import { z } from 'zod';
import { instant } from '../runs/run.ts';

export const auditEntrySchema = z
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
  .meta({ id: 'AuditEntry', description: 'One fact of the audit trail.' });

const HEAD = /^([1-9]\d{0,14}):([0-9a-f]{64})$/i;

/** `POSITION:HASH`, as `head` of an earlier verification. */
export const auditHeadInQuery = z
  .string()
  .regex(HEAD, 'must be POSITION:HASH, as an earlier verification gave them')
  .transform((text) => {
    const [, position = '', hash = ''] = HEAD.exec(text) ?? [];
    return { position: Number(position), hash: hash.toLowerCase() };
  })
  .nullable()
  .default(null)
  .describe('A head that was noted earlier, as `POSITION:HASH`: it must still be in the chain.');

export const auditReportSchema = z
  .object({
    broken: z
      .object({
        position: z.int().describe('From 1, along the chain.'),
        entryId: z.int().nullable(),
        problem: z.enum([
          'seal_missing',
          'entry_missing',
          'entry_not_sealed',
          'out_of_order',
          'hash_differs',
          'head_differs',
        ]),
      })
      .nullable()
      .describe('The first place that does not fit; null: every sealed entry is as it was when it was sealed.'),
    sealed: z.int().describe('Entries from the first on that fit.'),
    head: z
      .object({ position: z.int(), hash: z.string().describe('SHA-256, hex.') })
      .nullable()
      .describe('To be noted elsewhere.'),
    unsealed: z.int().describe('Entries that are still to be sealed: those of the last second or two.'),
    unsealedSince: instant.nullable(),
  })
  .meta({ id: 'AuditReport', description: 'Whether the audit trail is unbroken.' });
