import { createHash, randomBytes } from 'node:crypto';
import type { Actor, Role } from '../../domain/role.ts';
import { appendAudit } from '../../store/audit.ts';
import {
  addToken,
  findOrAddPerson,
  listTokens as listStored,
  personOfToken,
  revokeToken as revokeStored,
  type TokenRecord,
} from '../../store/people.ts';
import type { Person, TokenSummary } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { EngineError } from './engine-error.ts';
import { iso } from './run-views.ts';

const DAY_MS = 86_400_000;

/** Bearer tokens: 32 random bytes, of which only the SHA-256 is kept. */
export async function issueToken(
  { database, now }: EngineDependencies,
  actor: Actor,
  request: { name: string; role: Role; label: string; validDays: number | null },
): Promise<{ token: string; summary: TokenSummary }> {
  const userId = await findOrAddPerson(database, request.name, request.role);
  if (userId === null) {
    throw new EngineError('conflict', 'that person exists with another role; a person has one role');
  }
  const token = `payrun_${randomBytes(32).toString('base64url')}`;
  const expiresAt = request.validDays === null ? null : new Date(now() + request.validDays * DAY_MS);
  const tokenId = await addToken(database, { userId, tokenHash: hashOf(token), label: request.label, expiresAt });
  await appendAudit(database, {
    actor: actor.userId,
    kind: 'token_issued',
    detail: { tokenId, userId, role: request.role },
  });
  const stored = (await listStored(database)).find((candidate) => candidate.tokenId === tokenId);
  if (stored === undefined) throw new Error('a token that was stored is not there');
  return { token, summary: summaryOf(stored) };
}

export async function listTokens({ database }: EngineDependencies): Promise<TokenSummary[]> {
  return (await listStored(database)).map(summaryOf);
}

export async function revokeToken({ database }: EngineDependencies, actor: Actor, tokenId: string): Promise<boolean> {
  const revoked = await revokeStored(database, tokenId);
  if (revoked) await appendAudit(database, { actor: actor.userId, kind: 'token_revoked', detail: { tokenId } });
  return revoked;
}

export async function authenticate({ database }: EngineDependencies, bearerToken: string): Promise<Person | null> {
  return personOfToken(database, hashOf(bearerToken));
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function summaryOf(token: TokenRecord): TokenSummary {
  return {
    tokenId: token.tokenId,
    userId: token.userId,
    name: token.name,
    role: token.role,
    label: token.label,
    createdAt: token.createdAt.toISOString(),
    expiresAt: iso(token.expiresAt),
    revokedAt: iso(token.revokedAt),
    lastUsedAt: iso(token.lastUsedAt),
  };
}
