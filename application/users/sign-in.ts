import { mayAny, type PersonalRead } from '../../domain/users/role.ts';
import type { ServerKind } from '../../store/audit/audit-kinds.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import { noteReadAs } from '../../store/audit/personal-reads.ts';
import { TokenHash } from '../../store/users/token-hash.ts';
import { findSessionHolder } from '../../store/users/sessions.ts';
import { findTokenHolder } from '../../store/users/tokens.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { mayUse, type SignedIn } from './signed-in.ts';

/** The user of a token or session; or, for one that the database knows, whose it was and why it is no longer valid. */
export type SignIn =
  | { kind: 'signed_in'; user: SignedIn }
  | { kind: 'refused'; known: { tokenId: string; userId: string; why: string } | null };

export async function signIn({ database }: ApplicationDependencies, bearerToken: string): Promise<SignIn> {
  const tokenHash = TokenHash.of(bearerToken);
  const holder = await findTokenHolder(database, tokenHash);
  if (holder === null) return { kind: 'refused', known: null };
  if ('why' in holder) return { kind: 'refused', known: holder };
  return { kind: 'signed_in', user: { ...holder, tokenHash } };
}

/**
 * Whether a watcher may go on: with the token or session that they came with, and with runs of one account if they may read runs
 * and use it. Without an account, what they watch was chosen by their roles and accounts: it is over when these have changed.
 */
export async function isSignedIn(
  { database }: ApplicationDependencies,
  user: SignedIn,
  account: string | null,
): Promise<boolean> {
  const { tokenHash, isSession = false } = user;
  // A page that is only open is not used.
  const holder = isSession
    ? await findSessionHolder(database, tokenHash, false)
    : await findTokenHolder(database, tokenHash);
  if (holder === null || 'why' in holder) return false;
  if (account === null) return hasSameRights(holder, user);
  // guard: watching-ends-with-account, watching-ends-with-role
  return mayAny(holder.roles, 'read_runs') && mayUse(holder, account);
}

function hasSameRights(
  one: Pick<SignedIn, 'roles' | 'accounts'>,
  other: Pick<SignedIn, 'roles' | 'accounts'>,
): boolean {
  const rights = ({ roles, accounts }: typeof one): string =>
    JSON.stringify([[...roles].sort(), accounts === null ? null : [...accounts].sort()]);
  return rights(one) === rights(other);
}

/** Refused attempts, as the server counts them. */
export interface RefusedAccess {
  kind: ServerKind;
  address: string;
  times: number;
  userId: string | null;
  tokenId: string | null;
  /** The pattern of the route, without its parameters. */
  route: string | null;
  why: string;
}

export async function noteRefusedAccess({ database }: ApplicationDependencies, refused: RefusedAccess): Promise<void> {
  const { kind, userId, tokenId, ...detail } = refused;
  // The user is a detail, not the actor: nobody has authenticated.
  await appendAudit(database, { actor: 'server', kind, detail: { ...detail, user: userId, token: tokenId } });
}

/** A read of personal data or bank details: by which permission and route, of what, from where. */
export interface PersonalDataRead {
  reads: PersonalRead;
  route: string;
  /** Ids of what the address names, by kind. */
  named: Readonly<Record<string, string>>;
  address: string;
}

export async function noteRead(
  { database }: ApplicationDependencies,
  { tokenHash }: SignedIn,
  read: PersonalDataRead,
): Promise<void> {
  await asApplicationError(noteReadAs(database, tokenHash, read));
}
