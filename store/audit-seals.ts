import { type AuditPlace, BEFORE_ALL, ENTRY_TEXT, GENESIS, nextHash } from './audit-chain.ts';
import { type Database, inTransaction, type Queryable } from './database.ts';

const ENTRIES_PER_TRANSACTION = 5_000;

/**
 * Seals what is committed and provably complete, and answers how many entries it sealed: none while another process is
 * at it. What an unfinished transaction may still add to stays for the next time.
 */
export async function sealAudit(database: Database, limit = ENTRIES_PER_TRANSACTION): Promise<number> {
  let sealed = 0;
  for (;;) {
    const batch = await inTransaction(database, (transaction) => sealBatch(transaction, limit));
    sealed += batch;
    if (batch < limit) return sealed;
  }
}

async function sealBatch(transaction: Queryable, limit: number): Promise<number> {
  // A process that is frozen while it holds the lock would keep all others from sealing.
  await transaction.query(`set local idle_in_transaction_session_timeout = '10s'`);
  const { rows: lock } = await transaction.query<{ taken: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('audit-seals', 0)) as taken`,
  );
  if (lock[0]?.taken !== true) return 0;
  const head = await readHead(transaction);
  const place = head ?? BEFORE_ALL;
  if (!(await hasEntriesAfter(transaction, place))) return 0;
  const openEpoch = await oldestOpenEpoch(transaction);
  const { rows: entries } = await transaction.query<{ entry_id: number; text: string }>(
    `select entries.entry_id, ${ENTRY_TEXT} as text from audit_entries entries
     where (entries.epoch, entries.entry_id) > ($1::integer, $2::bigint) and entries.epoch < $3
     order by entries.epoch, entries.entry_id limit $4`,
    [place.epoch, place.entryId, openEpoch, limit],
  );
  let hash = head?.hash ?? GENESIS;
  const hashes = entries.map(({ text }) => (hash = nextHash(hash, text)));
  await transaction.query(
    `insert into audit_seals (position, entry_id, hash)
     select $1::bigint + ordinality, entry_id, hash
     from unnest($2::bigint[], $3::bytea[]) with ordinality as sealed (entry_id, hash, ordinality)`,
    [head?.position ?? 0, entries.map(({ entry_id: id }) => id), hashes],
  );
  return entries.length;
}

/** The last sealed entry: `position` counts from 1. */
export interface AuditHead extends AuditPlace {
  position: number;
  hash: Buffer;
}

async function readHead(database: Queryable): Promise<AuditHead | null> {
  const { rows } = await database.query<AuditHead>(
    `select position, hash, epoch, entry_id as "entryId" from audit_seals join audit_entries using (entry_id)
     order by position desc limit 1`,
  );
  return rows[0] ?? null;
}

async function hasEntriesAfter(database: Queryable, { epoch, entryId }: AuditPlace): Promise<boolean> {
  const { rows } = await database.query<{ there: boolean }>(
    'select exists (select from audit_entries where (epoch, entry_id) > ($1::integer, $2::bigint)) as there',
    [epoch, entryId],
  );
  return rows[0]?.there === true;
}

/**
 * Begins a new epoch, and answers the oldest one that a running transaction may still add to. Whoever took the lock of
 * an epoch before this counts is seen among the locks; whoever takes it later finds that a new one has begun.
 */
async function oldestOpenEpoch(database: Queryable): Promise<number> {
  const { rows: begun } = await database.query<{ epoch: number }>(
    `select nextval('public.audit_epochs')::integer as epoch`,
  );
  const { rows: held } = await database.query<{ epoch: number | null }>(
    `select min(objid::bigint)::integer as epoch from pg_locks
     where locktype = 'advisory' and classid = 1885436257 and objsubid = 2
       and database = (select oid from pg_database where datname = current_database())`,
  );
  const newest = begun[0]?.epoch ?? 0;
  return Math.min(newest, held[0]?.epoch ?? newest);
}
