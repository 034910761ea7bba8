import type { Queryable } from '../database/database.ts';

/** One entry of the trail. `person` is the name of the acting user; null: the actor is a part of payrun. */
export interface AuditEntry {
  entryId: number;
  at: Date;
  actor: string;
  person: string | null;
  kind: string;
  runId: string | null;
  paymentId: string | null;
  rowRef: string | null;
  line: number | null;
  detail: Record<string, unknown>;
  /** What a person wrote with it; null: nothing, or it was erased. */
  remark: string | null;
}

const SELECT_ENTRIES = `
  select entry_id as "entryId", at, actor, users.name as person, kind, entries.run_id as "runId",
    entries.payment_id as "paymentId", payments.row_ref as "rowRef", payments.line, detail, remarks.body as remark
  from audit_entries entries
  left join users on users.user_id::text = entries.actor
  left join payments on payments.payment_id = entries.payment_id
  left join remarks on remarks.remark_id::text = entries.detail ->> 'remark'`;

/** As the index `audit_by_people` has it: the actor is a user, not a part of payrun. */
const BY_PEOPLE = `actor like '________-____-____-____-____________'`;

/** Entries of a run in order, after an entry; with `rowRef`, only of the rows with that reference; or only by people. */
export async function listAuditEntries(
  database: Queryable,
  runId: string,
  page: { afterEntry: number; limit: number; rowRef: string | null; byPeople: boolean },
): Promise<AuditEntry[]> {
  const { rows } = await database.query<AuditEntry>(
    `${SELECT_ENTRIES}
     where entries.run_id = $1 and entry_id > $2 and ($4::text is null or payments.row_ref = $4)
       ${page.byPeople ? `and ${BY_PEOPLE}` : ''}
     order by entry_id limit $3`,
    [runId, page.afterEntry, page.limit, page.rowRef],
  );
  return rows;
}

interface GlobalPage {
  /** The last entry of the page before, in the order that is asked for; 0: none. */
  afterEntry: number;
  limit: number;
  kind: string | null;
  from: Date | null;
  /** Not included. */
  to: Date | null;
  /** The id of a user. */
  actor: string | null;
  newestFirst: boolean;
}

/** Entries of no run: users, tokens, policy, sign-ins, stops of accounts; null: whatever it is. */
export async function listGlobalAuditEntries(database: Queryable, page: GlobalPage): Promise<AuditEntry[]> {
  const [isAfter, direction] = page.newestFirst ? ['(entry_id < $1 or $1 = 0)', 'desc'] : ['entry_id > $1', 'asc'];
  const { rows } = await database.query<AuditEntry>(
    `${SELECT_ENTRIES}
     where entries.run_id is null and ${isAfter} and ($3::text is null or kind = $3)
       and ($4::timestamptz is null or at >= $4) and ($5::timestamptz is null or at < $5) and ($6::text is null or actor = $6)
     order by entry_id ${direction} limit $2`,
    [page.afterEntry, page.limit, page.kind, page.from, page.to, page.actor],
  );
  return rows;
}

/** Entries about an onboarding case in order, after an entry. */
export async function listCaseAuditEntries(
  database: Queryable,
  caseId: string,
  page: { afterEntry: number; limit: number },
): Promise<AuditEntry[]> {
  const { rows } = await database.query<AuditEntry>(
    `${SELECT_ENTRIES}
     where detail ? 'case' and detail ->> 'case' = $1 and entry_id > $2
     order by entry_id limit $3`,
    [caseId, page.afterEntry, page.limit],
  );
  return rows;
}
