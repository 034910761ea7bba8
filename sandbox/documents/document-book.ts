import type { Chance } from '../core/seeded-random.ts';
import type { SandboxOptions } from '../config/defaults.ts';
import { notFound, Refusal } from '../core/refusal.ts';
import { Signature } from '../webhooks/signature.ts';
import type { User } from '../account/user.ts';

/** An identity document of a user. Contract: account 2.6. */
export interface Document {
  readonly id: string;
  readonly user: User;
  documentType: string;
  documentName: string;
  /** Rises with every upload URL, so that the one before is no longer good. */
  uploadTurn: number;
  /** What was uploaded last; null before. */
  stored: { readonly bytes: Uint8Array; readonly contentType: string } | null;
}

/** The documents of one API key's users, and the signed addresses of their storage. Contract: account 4.4. */
export class Documents {
  readonly #byId = new Map<string, Document>();
  readonly #chance: Chance;
  readonly #options: Pick<SandboxOptions, 'documentTtlMs'>;
  readonly #signature: Signature;

  constructor(chance: Chance, options: Pick<SandboxOptions, 'documentTtlMs'>) {
    this.#chance = chance;
    this.#options = options;
    this.#signature = new Signature(chance);
  }

  add(user: User, documentType: string, documentName: string): Document {
    const id = this.#chance.uuid();
    const document: Document = { id, user, documentType, documentName, uploadTurn: 0, stored: null };
    this.#byId.set(id, document);
    return document;
  }

  /** @throws Refusal 404 `not_found`, for another user's document too */
  get(user: User, documentId: string): Document {
    const document = this.#byId.get(documentId);
    if (document?.user !== user) throw notFound('document');
    return document;
  }

  has(documentId: string): boolean {
    return this.#byId.has(documentId);
  }

  /** Oldest first. */
  of(user: User): Document[] {
    return [...this.#byId.values()].filter((document) => document.user === user);
  }

  delete(document: Document): void {
    this.#byId.delete(document.id);
  }

  /** Keeps what was uploaded in place of what was there; nothing for a document that is gone. */
  store(documentId: string, stored: NonNullable<Document['stored']>): void {
    const document = this.#byId.get(documentId);
    if (document) document.stored = stored;
  }

  /** Path and query to upload to, which ends the one before; good until `documentTtlMs` from now. */
  uploadPath(document: Document, nowMs: number): string {
    document.uploadTurn += 1;
    return this.#path(document, `upload-${document.uploadTurn}`, nowMs);
  }

  downloadPath(document: Document, nowMs: number): string {
    return this.#path(document, 'download', nowMs);
  }

  /**
   * The document that an upload or download address names.
   * @throws Refusal 403 `url_invalid` when it was not issued so or a later upload URL replaced it, `url_expired`
   */
  named(
    documentId: string,
    use: 'upload' | 'download',
    query: Readonly<Record<string, unknown>>,
    nowMs: number,
  ): Document {
    const document = this.#byId.get(documentId);
    const expires = query['expires'];
    const turn = document && use === 'upload' ? `upload-${document.uploadTurn}` : use;
    if (
      !document ||
      typeof expires !== 'string' ||
      !this.#signature.isOf(`${documentId}/${turn}/${expires}`, query['signature'])
    ) {
      throw new Refusal(403, 'url_invalid', `the ${use} URL was not issued as it is written, or was replaced`);
    }
    if (nowMs > Number(expires)) throw new Refusal(403, 'url_expired', `the ${use} URL has expired; ask for a new one`);
    return document;
  }

  #path({ id }: Document, use: string, nowMs: number): string {
    const expires = String(nowMs + this.#options.documentTtlMs);
    const query = new URLSearchParams({ expires, signature: this.#signature.of(`${id}/${use}/${expires}`) });
    return `/storage/documents/${id}?${query.toString()}`;
  }
}
