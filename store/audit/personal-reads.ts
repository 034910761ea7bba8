import { callAsUser } from '../database/call-as-user.ts';
import type { Queryable } from '../database/database.ts';
import type { TokenHash } from '../users/token-hash.ts';

/** Notes that a user reads personal data, before it is shown. @throws Refused */
export async function noteReadAs(
  database: Queryable,
  tokenHash: TokenHash,
  read: { reads: string; route: string; named: Readonly<Record<string, string>>; address: string },
): Promise<void> {
  const { reads, route, named, address } = read;
  await callAsUser(database, 'note_read($1, $2, $3, $4, $5)', [
    ...[tokenHash.bytes, reads, route, JSON.stringify(named), address],
  ]);
}
