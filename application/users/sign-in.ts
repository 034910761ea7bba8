import type { ServerKind } from '../../store/audit/audit-kinds.ts';
import { appendAudit } from '../../store/audit/audit.ts';
import { TokenProof } from '../../store/users/token-proof.ts';
import { holderOfToken } from '../../store/users/users.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import type { SignedIn } from './signed-in.ts';

/** Who a bearer token signs in; else, where the record knows the token, whose it was and why it works no longer. */
export type SignIn =
  | { kind: 'signed_in'; user: SignedIn }
  | { kind: 'refused'; known: { tokenId: string; userId: string; why: string } | null };

export async function signIn({ database }: ApplicationDependencies, bearerToken: string): Promise<SignIn> {
  const proof = TokenProof.of(bearerToken);
  const holder = await holderOfToken(database, proof);
  if (holder === null) return { kind: 'refused', known: null };
  if ('why' in holder) return { kind: 'refused', known: holder };
  return { kind: 'signed_in', user: { ...holder, proof } };
}

export async function isSignedIn({ database }: ApplicationDependencies, { proof }: SignedIn): Promise<boolean> {
  const holder = await holderOfToken(database, proof);
  return holder !== null && !('why' in holder);
}

/** Attempts that were refused, as the server counts them: from where, and what it knows of the one who tried. */
export interface RefusedAccess {
  kind: ServerKind;
  address: string;
  times: number;
  userId: string | null;
  tokenId: string | null;
  /** What was asked for, without what it was asked about. */
  route: string | null;
  why: string;
}

export async function noteRefusedAccess({ database }: ApplicationDependencies, refused: RefusedAccess): Promise<void> {
  const { kind, userId, tokenId, ...detail } = refused;
  // Nobody has proved to be that user.
  await appendAudit(database, { actor: 'server', kind, detail: { ...detail, user: userId, token: tokenId } });
}
