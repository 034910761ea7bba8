import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const PREFIX = 'payrun_';
const CODE_PREFIX = 'payrun_code_';
const SECRET_BYTES = 32;

/**
 * What a server shows to the database to act in a user's name: the SHA-256 of the user's token. The token itself goes no
 * further than the request that brought it. Shows nothing of itself, however it is printed.
 */
export class TokenProof {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static of(token: string): TokenProof {
    return new TokenProof(createHash('sha256').update(token).digest());
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  toJSON(): string {
    return '[proof]';
  }

  [inspect.custom](): string {
    return '[proof]';
  }
}

/** 32 random bytes, which are shown once and kept nowhere. */
export function newToken(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** The same for an invitation, which is no token: it is exchanged for one. */
export function newCode(): string {
  return `${CODE_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** The form in which the database keeps a code: the hash of its proof. */
export function keptHashOf(proof: TokenProof): Buffer {
  return createHash('sha256').update(proof.bytes).digest();
}
