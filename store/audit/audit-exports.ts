import type { AuditPiece } from '../../domain/audit/audit-export.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';
import { ENTRY_TEXT, GENESIS } from './audit-chain.ts';

const ENTRIES_PER_PIECE = 1_000;

/**
 * Exports what was chained since the last export to a destination, piece by piece, and answers how many entries. A piece that was
 * delivered, but whose position was not stored, is delivered again. Nothing while another process exports to the same one.
 */
export async function exportAudit(
  database: Database,
  destination: string,
  deliver: (piece: AuditPiece) => Promise<void>,
  limit = ENTRIES_PER_PIECE,
): Promise<number> {
  let exported = 0;
  for (;;) {
    const entries = await inTransaction(database, (connection) => exportPiece(connection, destination, deliver, limit));
    exported += entries;
    if (entries < limit) return exported;
  }
}

async function exportPiece(
  connection: Queryable,
  destination: string,
  deliver: (piece: AuditPiece) => Promise<void>,
  limit: number,
): Promise<number> {
  const { rows: locked } = await connection.query<{ isLocked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('audit-export ' || $1, 0)) as "isLocked"`,
    [destination],
  );
  if (locked[0]?.isLocked !== true) return 0;
  const piece = await nextPiece(connection, destination, limit);
  const last = piece?.entries.at(-1);
  if (piece === null || last === undefined) return 0;
  await deliver(piece);
  await connection.query('select note_export($1, $2, $3, $4)', [
    destination,
    last.position - piece.entries.length,
    last.position,
    Buffer.from(last.hash, 'hex'),
  ]);
  return piece.entries.length;
}

async function nextPiece(connection: Queryable, destination: string, limit: number): Promise<AuditPiece | null> {
  const { rows } = await connection.query<AuditPiece['entries'][number] & { previous: string | null }>(
    `select links.position::int as position, encode(links.hash, 'hex') as hash, ${ENTRY_TEXT} as text,
       (select encode(before.hash, 'hex') from audit_chain before where before.position = links.position - 1) as previous
     from audit_chain links join audit_entries entries using (entry_id)
     where links.position > coalesce((select position from audit_exports where destination = $1), 0)
     order by links.position limit $2`,
    [destination, limit],
  );
  if (rows.length === 0) return null;
  return {
    format: 'payrun-audit-1',
    previousHash: rows[0]?.previous ?? GENESIS.toString('hex'),
    entries: rows.map(({ position, hash, text }) => ({ position, hash, text })),
  };
}
