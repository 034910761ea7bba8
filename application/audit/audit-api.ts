/** What the application says of the audit trail. Times are ISO-8601 UTC strings. */

export interface AuditEntrySummary {
  entryId: number;
  at: string;
  /** A person's id, or the part of payrun that acted. */
  actor: string;
  /** The person's name; null: it was a part of payrun. */
  person: string | null;
  kind: string;
  /** Null: it belongs to no run. */
  runId: string | null;
  /** Null: it is of the run as a whole. */
  paymentId: string | null;
  rowRef: string | null;
  line: number | null;
  /** Identifiers, codes and counts. */
  detail: Record<string, unknown>;
  /** What a person wrote with it; null: nothing, or it was erased. */
  remark: string | null;
}

/** Where the chain over the audit trail is broken first: `position` from 1 along the chain. */
interface AuditBreak {
  position: number;
  entryId: number | null;
  problem: 'seal_missing' | 'entry_missing' | 'entry_not_sealed' | 'out_of_order' | 'hash_differs' | 'head_differs';
}

export interface AuditReport {
  /** Null: every sealed entry is as it was when it was sealed. */
  broken: AuditBreak | null;
  /** Entries from the first on that fit. */
  sealed: number;
  /** To be noted elsewhere; null when nothing is sealed, or something is broken. The hash is in hex. */
  head: { position: number; hash: string } | null;
  unsealed: number;
  unsealedSince: string | null;
}
