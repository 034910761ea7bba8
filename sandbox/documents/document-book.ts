import type { SeededRandom } from '../core/seeded-random.ts';
import type { SandboxOptions } from '../config/options.ts';
import { notFound, Refusal } from '../core/refusal.ts';
import { UrlSignature } from './url-signature.ts';
import type { User } from '../account/user.ts';

/** An identity document of a user. Contract: account 2.6. */
export interface Document {
  readonly id: string;
  readonly user: User;
  documentType: string;
  documentName: string;
  /** Increases with every upload URL, which makes the previous one invalid. */
  uploadNumber: number;
  /** The last upload; null before the first. */
  stored: { readonly bytes: Uint8Array; readonly contentType: string } | null;
}

/** The documents of one API key's users, and their signed upload and download URLs. Contract: account 4.4. */
export class Documents {
  readonly #byId = new Map<string, Document>();
  /** Oldest first. */
  readonly #byUser = new Map<User, Set<Document>>();
  readonly #random: SeededRandom;
  readonly #options: Pick<SandboxOptions, 'documentTtlMs'>;
  readonly #signature: UrlSignature;

  constructor(random: SeededRandom, options: Pick<SandboxOptions, 'documentTtlMs'>) {
    this.#random = random;
    this.#options = options;
    this.#signature = new UrlSignature(random);
  }

  add(user: User, documentType: string, documentName: string): Document {
    const id = this.#random.uuid();
    const document: Document = { id, user, documentType, documentName, uploadNumber: 0, stored: null };
    this.#byId.set(id, document);
    const others = this.#byUser.get(user) ?? new Set();
    this.#byUser.set(user, others.add(document));
    return document;
  }

  /** @throws Refusal 404 `not_found`, also for another user's document */
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
    return [...(this.#byUser.get(user) ?? [])];
  }

  delete(document: Document): void {
    this.#byId.delete(document.id);
    this.#byUser.get(document.user)?.delete(document);
  }

  /** Replaces the stored file; has no effect when the document was deleted. */
  store(documentId: string, stored: NonNullable<Document['stored']>): void {
    const document = this.#byId.get(documentId);
    if (document) document.stored = stored;
  }

  /** A new upload path and query, valid for `documentTtlMs`; the previous one becomes invalid. */
  uploadPath(document: Document, nowMs: number): string {
    document.uploadNumber += 1;
    return this.#path(document, `upload-${document.uploadNumber}`, nowMs);
  }

  downloadPath(document: Document, nowMs: number): string {
    return this.#path(document, 'download', nowMs);
  }

  /**
   * The document of an upload or download URL.
   * @throws Refusal 403 `url_invalid` when the URL was not issued or was replaced by a later one, `url_expired`
   */
  verify(
    documentId: string,
    use: 'upload' | 'download',
    query: Readonly<Record<string, unknown>>,
    nowMs: number,
  ): Document {
    const document = this.#byId.get(documentId);
    const expires = query['expires'];
    const signedUse = document && use === 'upload' ? `upload-${document.uploadNumber}` : use;
    if (
      !document ||
      typeof expires !== 'string' ||
      !this.#signature.isOf(`${documentId}/${signedUse}/${expires}`, query['signature'])
    ) {
      throw new Refusal(403, 'url_invalid', `the ${use} URL was not issued in this form, or was replaced`);
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
