import { FULL_MS, type HistoryRange, type KnownHistory } from '../../domain/accounts/history-range.ts';
import type { Queryable } from '../database/database.ts';
import { epochMs } from '../database/sql-times.ts';

/** Where the last regular read ended, and when one last went back for all of `FULL_MS`. */
export async function readKnownHistory(database: Queryable, account: string): Promise<Omit<KnownHistory, 'nowMs'>> {
  const { rows } = await database.query<Omit<KnownHistory, 'nowMs'>>(
    `select ${epochMs('max(to_at)')} as "lastToMs",
       ${epochMs(`max(read_at) filter (where to_at - from_at >= make_interval(secs => $2))`)} as "lastFullMs"
     from history_ranges where account = $1 and not is_gap`,
    [account, FULL_MS / 1_000],
  );
  return rows[0] ?? { lastToMs: null, lastFullMs: null };
}

export interface ReadRange extends HistoryRange {
  account: string;
  isGap: boolean;
  /** When the read began (`beginReading`). */
  readAt: string;
  entries: number;
  added: number;
  unreadable: number;
  /** Entries whose amounts differ from those that were shown before. */
  conflicting: number;
}

export async function noteRange(database: Queryable, range: ReadRange): Promise<void> {
  await database.query(
    `insert into history_ranges (account, from_at, to_at, is_gap, read_at, entries, new_entries, unreadable, conflicting)
     values ($1, to_timestamp($2::float8 / 1000), to_timestamp($3::float8 / 1000), $4, $5, $6, $7, $8, $9)`,
    [
      range.account,
      range.fromMs,
      range.toMs,
      range.isGap,
      range.readAt,
      range.entries,
      range.added,
      range.unreadable,
      range.conflicting,
    ],
  );
}
