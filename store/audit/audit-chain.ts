import { createHash } from 'node:crypto';

/**
 * The chain over the audit trail: what is hashed, and how. The hash of a position is SHA-256 over the hash of the
 * position before (32 bytes; zeros before the first) and the entry's text in UTF-8.
 */

/** A position in the order in which entries are chained. */
export interface AuditPlace {
  epoch: number;
  entryId: number;
}

export const BEFORE_ALL: AuditPlace = { epoch: -1, entryId: 0 };
export const GENESIS = Buffer.alloc(32);

/**
 * The text of an entry: a JSON array as Postgres writes it. The time is in microseconds since 1970, so the text does not
 * depend on the time zone.
 */
export const ENTRY_TEXT = `jsonb_build_array(entries.epoch, entries.entry_id, (extract(epoch from entries.at) * 1000000)::bigint,
  entries.actor, entries.kind, entries.run_id, entries.payment_id, entries.detail)::text`;

export function nextHash(previous: Buffer, entryText: string): Buffer {
  return createHash('sha256').update(previous).update(entryText, 'utf8').digest();
}
