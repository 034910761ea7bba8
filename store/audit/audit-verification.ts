import { type AuditPlace, BEFORE_ALL, ENTRY_TEXT, GENESIS, nextHash } from './audit-chain.ts';
import { type Database, inTransaction, type Queryable } from '../database/database.ts';

/** A head of the chain: how many entries it covers, and the hash over them in hex. */
export interface ChainHead {
  position: number;
  hash: string;
}

/** The first mismatch: its position in the chain and its entry. */
export interface ChainBreak {
  position: number;
  entryId: number | null;
  problem: 'link_missing' | 'entry_missing' | 'entry_not_chained' | 'out_of_order' | 'hash_differs' | 'head_differs';
}

export interface AuditVerification {
  broken: ChainBreak | null;
  /** Entries verified before the first mismatch. */
  chained: number;
  /** Null: nothing is chained yet, or the chain is broken. */
  head: ChainHead | null;
  /** Unchained entries after the head, and the time of the oldest (null: there is none). */
  unchained: number;
  unchainedSince: Date | null;
  /** When the first entry after a noted head was written. Null: there is none, or no head was noted. */
  afterNotedSince: Date | null;
}

interface ChainedEntry {
  position: number;
  entry_id: number;
  hash: Buffer;
  epoch: number | null;
  text: string | null;
}

const LINKS_PER_READ = 5_000;

/**
 * Recomputes the whole chain from the entries, on one snapshot and page by page. `noted` is a head that was written down
 * elsewhere: if the chain still has it, the trail up to it was not rewritten.
 */
export async function verifyAudit(database: Database, noted: ChainHead | null): Promise<AuditVerification> {
  return inTransaction(database, async (snapshot) => {
    await snapshot.query('set transaction isolation level repeatable read, read only');
    const walk = { place: BEFORE_ALL, position: 0, hash: GENESIS };
    for (;;) {
      const page = await readPage(snapshot, walk.position);
      if (page.length === 0) break;
      const from = walk.place;
      const broken = walkPage(walk, page, noted);
      const unchained = await firstUnchained(snapshot, from, walk.place);
      if (unchained !== null) return brokenAt(unchained);
      if (broken !== null) return brokenAt(broken);
    }
    if (noted !== null && noted.position > walk.position) {
      return brokenAt({ position: noted.position, entryId: null, problem: 'head_differs' });
    }
    const head = walk.position === 0 ? null : { position: walk.position, hash: walk.hash.toString('hex') };
    const afterNotedSince = noted === null ? null : await writtenAt(snapshot, noted.position + 1);
    return {
      broken: null,
      chained: walk.position,
      head,
      ...(await countUnchained(snapshot, walk.place)),
      afterNotedSince,
    };
  });
}

function brokenAt(broken: ChainBreak): AuditVerification {
  const nothing = { head: null, unchained: 0, unchainedSince: null, afterNotedSince: null };
  return { broken, chained: broken.position - 1, ...nothing };
}

async function writtenAt(database: Queryable, position: number): Promise<Date | null> {
  const { rows } = await database.query<{ at: Date }>(
    'select at from audit_chain join audit_entries using (entry_id) where position = $1',
    [position],
  );
  return rows[0]?.at ?? null;
}

/** Verifies a page and returns the first mismatch. */
function walkPage(
  walk: { place: AuditPlace; position: number; hash: Buffer },
  page: readonly ChainedEntry[],
  noted: ChainHead | null,
): ChainBreak | null {
  for (const link of page) {
    const position = walk.position + 1;
    const found = { position, entryId: link.entry_id };
    if (link.position !== position) return { position, entryId: null, problem: 'link_missing' };
    if (link.text === null || link.epoch === null) return { ...found, problem: 'entry_missing' };
    const place = { epoch: link.epoch, entryId: link.entry_id };
    if (!comesAfter(place, walk.place)) return { ...found, problem: 'out_of_order' };
    const hash = nextHash(walk.hash, link.text);
    if (!hash.equals(link.hash)) return { ...found, problem: 'hash_differs' };
    if (noted?.position === position && noted.hash !== hash.toString('hex')) {
      return { ...found, problem: 'head_differs' };
    }
    Object.assign(walk, { place, position, hash });
  }
  return null;
}

function comesAfter(place: AuditPlace, before: AuditPlace): boolean {
  return place.epoch > before.epoch || (place.epoch === before.epoch && place.entryId > before.entryId);
}

async function readPage(database: Queryable, afterPosition: number): Promise<ChainedEntry[]> {
  const { rows } = await database.query<ChainedEntry>(
    `select links.position, links.entry_id, links.hash, entries.epoch,
       case when entries.entry_id is not null then ${ENTRY_TEXT} end as text
     from audit_chain links left join audit_entries entries using (entry_id)
     where links.position > $1 order by links.position limit $2`,
    [afterPosition, LINKS_PER_READ],
  );
  return rows;
}

/** An entry between chained ones that has no link: it was inserted later. */
async function firstUnchained(database: Queryable, from: AuditPlace, to: AuditPlace): Promise<ChainBreak | null> {
  const { rows } = await database.query<{ entry_id: number; position: number }>(
    `select entries.entry_id, (
       select count(*) from audit_chain links join audit_entries before using (entry_id)
       where (before.epoch, before.entry_id) < (entries.epoch, entries.entry_id)
     ) + 1 as position
     from audit_entries entries
     where (entries.epoch, entries.entry_id) > ($1::integer, $2::bigint)
       and (entries.epoch, entries.entry_id) < ($3::integer, $4::bigint)
       and not exists (select from audit_chain links where links.entry_id = entries.entry_id)
     order by entries.epoch, entries.entry_id limit 1`,
    [from.epoch, from.entryId, to.epoch, to.entryId],
  );
  const [entry] = rows;
  return entry === undefined
    ? null
    : { position: entry.position, entryId: entry.entry_id, problem: 'entry_not_chained' };
}

async function countUnchained(
  database: Queryable,
  { epoch, entryId }: AuditPlace,
): Promise<Pick<AuditVerification, 'unchained' | 'unchainedSince'>> {
  const { rows } = await database.query<{ unchained: number; since: Date | null }>(
    `select count(*)::int as unchained, min(at) as since from audit_entries
     where (epoch, entry_id) > ($1::integer, $2::bigint)`,
    [epoch, entryId],
  );
  return { unchained: rows[0]?.unchained ?? 0, unchainedSince: rows[0]?.since ?? null };
}
