import type { SeededRandom } from '../core/seeded-random.ts';
import { Refusal } from '../core/refusal.ts';
import { UrlSignature } from './url-signature.ts';

/** A file with an issued upload URL. The sandbox stores its size and type, but not its bytes. */
export interface SupportingFile {
  readonly id: string;
  readonly fileName: string;
  readonly expiresAtMs: number;
  uploaded: { readonly bytes: number; readonly contentType: string } | null;
}

/** The files of one API key, and the signatures of their upload URLs. Contract: payments 4.4. */
export class SupportingFiles {
  readonly #files = new Map<string, SupportingFile>();
  readonly #random: SeededRandom;
  readonly #signature: UrlSignature;
  readonly #prefix: string;

  constructor(random: SeededRandom, storagePrefix: string) {
    this.#random = random;
    this.#signature = new UrlSignature(random);
    this.#prefix = `X-${storagePrefix.charAt(0).toUpperCase()}${storagePrefix.slice(1)}`;
  }

  issue(fileName: string, expiresAtMs: number): SupportingFile {
    const file = { id: this.#random.uuid(), fileName, expiresAtMs, uploaded: null };
    this.#files.set(file.id, file);
    return file;
  }

  get(fileId: string): SupportingFile | undefined {
    return this.#files.get(fileId);
  }

  /** Path and signed query of a file's upload URL; the query's prefix names the storage provider. */
  uploadPath(file: SupportingFile): string {
    const query = new URLSearchParams({
      [`${this.#prefix}-Expires`]: String(file.expiresAtMs),
      [`${this.#prefix}-SignedHeaders`]: `content-type;host;${this.#prefix.toLowerCase()}-storage-class`,
      [`${this.#prefix}-UrlSignature`]: this.#signature.of(signedText(file)),
    });
    return `/storage/${file.id}?${query.toString()}`;
  }

  /**
   * The file of an upload URL.
   * @throws Refusal 403 `url_invalid` when the query was not issued for the file, `url_expired`
   */
  verify(fileId: string, query: Readonly<Record<string, unknown>>, nowMs: number): SupportingFile {
    const file = this.#files.get(fileId);
    if (!file || !this.#signature.isOf(signedText(file), query[`${this.#prefix}-UrlSignature`])) {
      throw new Refusal(403, 'url_invalid', 'the upload URL was not issued in this form');
    }
    if (nowMs > file.expiresAtMs)
      throw new Refusal(403, 'url_expired', 'the upload URL has expired; ask for a new one');
    return file;
  }
}

const signedText = ({ id, expiresAtMs }: SupportingFile): string => `${id}/${expiresAtMs}`;
