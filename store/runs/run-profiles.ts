import { canonicalJson } from '../../domain/canonical-json.ts';
import { headerKey } from '../../domain/import-profiles/headers.ts';
import { type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import { profileHash } from '../../domain/import-profiles/profile-hash.ts';
import { contentSha256 } from '../../domain/sha256.ts';
import type { Queryable } from '../database/database.ts';
import { encrypt } from '../personal-data/encryption.ts';
import { unlessUnreadable } from '../personal-data/key-wrapping.ts';
import { type PayeeData, type RunKey, runKeyOf } from '../personal-data/payee-data.ts';

/** The profiles that runs were read by. They are known once people have approved such a run, and to its account alone. */

/** In the transaction that stores the run, once the run is there: the database refuses it later. */
export async function addRunProfile(
  transaction: Queryable,
  { runId, key }: Pick<RunKey, 'runId' | 'key'>,
  profile: Profile,
): Promise<void> {
  await transaction.query(
    `insert into run_profiles (run_id, account, name, profile_hash, headers_key, profile)
     select run_id, account, $2, $3, $4, $5 from runs where run_id = $1`,
    [
      ...[runId, profile.name, profileHash(profile), headersKeyOf(profile)],
      encrypt(key, placeOf(runId), Buffer.from(JSON.stringify(profile))),
    ],
  );
}

/** SQL: the profiles of approved runs of an account. */
const knownOf = (account: string): string => `
  select known.run_id, known.profile_hash, known.headers_key, known.profile, runs.started_at as approved_at
  from run_profiles known join runs using (run_id)
  -- guard: known-of-the-account
  where known.account = ${account}
    -- guard: known-once-approved
    and runs.started_at is not null
`;

/** SQL: the profiles that were known before people decided on `runs`, which `mine` read. */
const KNOWN_BEFORE = `(${knownOf('mine.account')}) as known where known.run_id <> mine.run_id
    and known.approved_at < coalesce(least(runs.decided_at, runs.finished_at), 'infinity')`;

/** SQL: whether the profile `mine` was one of them. */
export const WAS_KNOWN = `exists (select from ${KNOWN_BEFORE} and known.profile_hash = mine.profile_hash)`;

/** So many are compared with the headers of a sheet at most. */
const MAX_KNOWN = 50;

/** Of each set of headers the one that was approved last, and these first. One that cannot be read is left out. */
export async function listKnownProfiles(database: Queryable, payees: PayeeData, account: string): Promise<Profile[]> {
  const { rows } = await database.query<StoredProfile>(
    `select run_id as "runId", profile, ${runKeyOf('latest')} as "runKey"
     from (select distinct on (headers_key) * from (${knownOf('$1')}) as known
       order by headers_key, approved_at desc, run_id) as latest
     order by approved_at desc, run_id limit ${MAX_KNOWN}`,
    [account],
  );
  return rows.flatMap((row) => opened(payees, row) ?? []);
}

/** How a run was read. */
export interface RunProfile {
  name: string;
  hash: string;
  /** Null: it cannot be read. */
  profile: Profile | null;
  wasKnown: boolean;
  /** Of those that were known for the same headers, the one that was approved last. Null: there is none, or it cannot be read. */
  before: Profile | null;
}

/** Null: it was read by none, or is erased. */
export async function readRunProfile(
  database: Queryable,
  payees: PayeeData,
  runId: string,
): Promise<RunProfile | null> {
  const { rows } = await database.query<StoredProfile & Pick<RunProfile, 'name' | 'hash' | 'wasKnown'>>(
    `select run_id as "runId", mine.profile, ${runKeyOf('mine')} as "runKey", mine.name, mine.profile_hash as hash,
       ${WAS_KNOWN} as "wasKnown"
     from run_profiles mine join runs using (run_id) where run_id = $1`,
    [runId],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { name, hash, wasKnown } = row;
  const before = wasKnown ? null : await profileBefore(database, payees, runId);
  return { name, hash, wasKnown, profile: opened(payees, row), before };
}

async function profileBefore(database: Queryable, payees: PayeeData, runId: string): Promise<Profile | null> {
  const { rows } = await database.query<StoredProfile>(
    `select known.run_id as "runId", known.profile, ${runKeyOf('known')} as "runKey"
     from run_profiles mine join runs using (run_id)
     cross join lateral (select known.* from ${KNOWN_BEFORE} and known.headers_key = mine.headers_key
       order by known.approved_at desc, known.run_id limit 1) as known
     where mine.run_id = $1`,
    [runId],
  );
  const [row] = rows;
  return row === undefined ? null : opened(payees, row);
}

interface StoredProfile {
  runId: string;
  profile: Buffer;
  /** As `runKeyOf` reads it. */
  runKey: string | null;
}

function opened(payees: PayeeData, { runId, profile, runKey }: StoredProfile): Profile | null {
  if (runKey === null) return null;
  const text = unlessUnreadable(() => payees.decryptOfRun(runId, runKey, placeOf(runId), profile).toString(), 'null');
  return profileSchema.nullable().parse(JSON.parse(text));
}

/** Equal for profiles that are for the same headers. */
function headersKeyOf({ headers }: Profile): string {
  return contentSha256(canonicalJson(headers.map(headerKey).sort()));
}

function placeOf(runId: string): string {
  return `profile ${runId}`;
}
