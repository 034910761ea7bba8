import { createHash, randomBytes } from 'node:crypto';
import { inspect } from 'node:util';

const PREFIX = 'payrun_';
const CODE_PREFIX = 'payrun_code_';
const SESSION_PREFIX = 'payrun_session_';
const SECRET_BYTES = 32;

/**
 * What the server gives the database to act in a user's name: the SHA-256 of the user's token. The token itself is not kept
 * beyond its request. Printing a token hash does not reveal it.
 */
export class TokenHash {
  readonly #bytes: Buffer;

  private constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  static of(token: string): TokenHash {
    return new TokenHash(sha256(token));
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  toJSON(): string {
    return '[token hash]';
  }

  [inspect.custom](): string {
    return '[token hash]';
  }
}

/** 32 random bytes, shown once and stored nowhere. */
export function newToken(): string {
  return `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** What the cookie of a session holds. */
export function newSessionSecret(): string {
  return `${SESSION_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** A code for an invitation, to be exchanged for a token or a session. */
export function newCode(): string {
  return `${CODE_PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`;
}

/** What the database stores of a token or code: the hash of its token hash. */
export function storedHashOf(tokenHash: TokenHash): Buffer {
  return sha256(tokenHash.bytes);
}

function sha256(secret: string | Buffer): Buffer {
  return createHash('sha256').update(secret).digest();
}
