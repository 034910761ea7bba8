import type { ChainEnd, KeptEntry } from '../../domain/accounts/place-entries.ts';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';

/** How far the history of a balance can be followed. Times in milliseconds since the epoch. */
export interface BalanceChain {
  currency: string;
  version: number;
  lastAmount: string;
  lastPosition: number;
  startedPosition: number;
  startedMs: number;
  /** The balance before the first entry that has a place. */
  startedAmount: string;
  /** Entries are missing before this one; null: none. */
  gap: { afterMs: number; beforeMs: number; reads: number; forMs: number; isGivenUp: boolean } | null;
}

/** An entry with what is not needed to order it. */
export interface StoredEntry extends KeptEntry {
  total: string | null;
  transactionId: string | null;
  /** As the provider wrote it. */
  dateGiven: string;
}

export async function listChains(database: Queryable, account: string): Promise<BalanceChain[]> {
  const { rows } = await database.query<Omit<BalanceChain, 'gap'> & { afterMs: number; gap: BalanceChain['gap'] }>(
    `select currency, version, last_amount::text as "lastAmount", last_position as "lastPosition",
       started_position as "startedPosition", ${epochMs('started_at')} as "startedMs",
       (select amount_before::text from balance_entries first where first.account = balance_chains.account
         and first.currency = balance_chains.currency and first.position = started_position) as "startedAmount",
       case when gap_until is not null then jsonb_build_object('afterMs', ${epochMs('last_dated_at')},
         'beforeMs', ${epochMs('gap_until')}, 'reads', gap_reads, 'forMs', ${epochMs('clock_timestamp()')} - ${epochMs('gap_since')},
         'isGivenUp', unfollowed_since is not null) end as gap
     from balance_chains where account = $1 order by currency`,
    [account],
  );
  return rows;
}

const ENTRY_COLUMNS = `entry_id as "entryId", currency, amount_before::text as "amountBefore", amount_after::text as "amountAfter",
  total_amount::text as total, transaction_id as "transactionId", transaction_type as type, ${epochMs('dated_at')} as date,
  date_given as "dateGiven"`;

/** Those of these entries that are stored already. */
export async function findStored(
  database: Queryable,
  { account, currency }: { account: string; currency: string },
  entryIds: readonly string[],
): Promise<StoredEntry[]> {
  const { rows } = await database.query<StoredEntry>(
    `select ${ENTRY_COLUMNS} from balance_entries where account = $1 and currency = $2 and entry_id = any($3)`,
    [account, currency, entryIds],
  );
  return rows;
}

/** Stored entries that could not be reached yet. */
export async function listUnplaced(
  database: Queryable,
  { account, currency }: { account: string; currency: string },
): Promise<StoredEntry[]> {
  const { rows } = await database.query<StoredEntry>(
    `select ${ENTRY_COLUMNS} from balance_entries
     where account = $1 and currency = $2 and position is null and disregarded is null
     union all
     select ${ENTRY_COLUMNS} from balance_entries
     where account = $1 and currency = $2 and position is null and disregarded = 'copy'
       and dated_at > (select last_dated_at from balance_chains where account = $1 and currency = $2) - interval '2 hours'`,
    [account, currency],
  );
  return rows;
}

/** The end of the chain, from the first entry on that a candidate of this date could belong before. */
export async function readChainEnd(
  database: Queryable,
  account: string,
  { currency, lastAmount, lastPosition, startedPosition }: BalanceChain,
  candidateMs: number,
): Promise<ChainEnd<StoredEntry>> {
  const { rows } = await database.query<StoredEntry & { position: number }>(
    `select position, ${ENTRY_COLUMNS} from balance_entries
     where account = $1 and currency = $2 and position >= (
       select min(position) from balance_entries where account = $1 and currency = $2 and position > $3
         and dated_at >= to_timestamp($4::float8 / 1000))
     order by position`,
    [account, currency, startedPosition, candidateMs],
  );
  const [first] = rows;
  if (first === undefined) return { from: lastPosition + 1, balance: lastAmount, tail: [] };
  return { from: first.position, balance: first.amountBefore, tail: rows };
}

export interface EntriesToStore {
  account: string;
  currency: string;
  /** Of the chain that they were ordered by; 0: there is none yet. */
  version: number;
  added: readonly StoredEntry[];
  from: number;
  /** Entry ids, in the order of their positions. */
  order: readonly string[];
  /** Entries that do not count, with the reason. */
  disregarded: Readonly<Record<string, 'copy' | 'before_start'>>;
  gapUntilMs: number | null;
  isGapRead: boolean;
  maxGapReads: number;
  /** Missing entries are given up: the first entry of `order` may begin with any balance. */
  isRestart: boolean;
}

/** False when the chain has changed since it was read. */
export async function storeEntries(database: Queryable, entries: EntriesToStore): Promise<boolean> {
  const added = entries.added.map(
    ({ entryId, amountBefore, amountAfter, total, transactionId, type, date, dateGiven }) => ({
      ...{ entryId, total, transactionId, type },
      ...{ before: amountBefore, after: amountAfter, datedAt: new Date(date).toISOString(), date: dateGiven },
    }),
  );
  const { rows } = await database.query<{ version: number | null }>(
    `select store_balance_entries($1, $2, $3, $4::jsonb, $5, $6::text[], $7::jsonb, to_timestamp($8::float8 / 1000), $9, $10, $11) as version`,
    [
      entries.account,
      entries.currency,
      entries.version,
      JSON.stringify(added),
      entries.from,
      entries.order,
      JSON.stringify(entries.disregarded),
      entries.gapUntilMs,
      entries.isGapRead,
      entries.maxGapReads,
      entries.isRestart,
    ],
  );
  return typeof rows[0]?.version === 'number';
}
