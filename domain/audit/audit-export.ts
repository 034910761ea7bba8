import { z } from 'zod';
import { contentSha256 } from '../sha256.ts';

/**
 * The audit trail as it is exported: in pieces, each with some entries in the order of the chain. A piece has all that its hashes are
 * made of, so it is verified without the database that it comes from. The same piece may be exported more than once.
 */

const hash = z.string().regex(/^[0-9a-f]{64}$/);

export const auditPieceSchema = z.object({
  format: z.literal('payrun-audit-1'),
  previousHash: hash.describe('The hash of the position before the first entry; zeros before position 1.'),
  entries: z
    .array(z.object({ position: z.int().min(1), hash, text: z.string() }))
    .min(1)
    .describe('`hash` is SHA-256 over the 32 bytes of the hash before and `text`, a JSON array, in UTF-8.'),
});
export type AuditPiece = z.infer<typeof auditPieceSchema>;

export const HASH_BEFORE_ALL = '0'.repeat(64);

/** What a piece is of, so that two with the same range and hash are the same one. */
export function rangeOf({ entries }: AuditPiece): { from: number; to: number; hash: string } {
  const last = entries.at(-1);
  return { from: entries[0]?.position ?? 0, to: last?.position ?? 0, hash: last?.hash ?? HASH_BEFORE_ALL };
}

export interface ExportBreak {
  /** The name of the piece. */
  piece: string;
  /** The first position that is not as it was. */
  position: number;
  problem: 'hash_differs' | 'out_of_order' | 'entries_missing' | 'pieces_differ';
}

/** Verifies pieces one after another, those with the lowest positions first. */
export class ExportVerification {
  /** By position, so that pieces that overlap are compared. */
  readonly #hashes = new Map<number, string>();
  #first: number | null = null;
  #last = 0;

  /** The first position of all pieces; null: there were none. */
  get first(): number | null {
    return this.#first;
  }

  get head(): { position: number; hash: string } | null {
    const found = this.#hashes.get(this.#last);
    return found === undefined ? null : { position: this.#last, hash: found };
  }

  /** The first mismatch in a piece, or between it and those before. */
  add(name: string, { previousHash, entries }: AuditPiece): ExportBreak | null {
    let position = (entries[0]?.position ?? 1) - 1;
    const brokenAt = (at: number, problem: ExportBreak['problem']) => ({ piece: name, position: at, problem });
    // guard: export-without-gaps
    if (this.#first !== null && position > this.#last) return brokenAt(this.#last + 1, 'entries_missing');
    const known = position === 0 ? HASH_BEFORE_ALL : this.#hashes.get(position);
    // guard: export-goes-on
    if (known !== undefined && known !== previousHash) return brokenAt(position + 1, 'pieces_differ');
    this.#first ??= position + 1;
    let previous = previousHash;
    for (const entry of entries) {
      position += 1;
      if (entry.position !== position) return brokenAt(position, 'out_of_order');
      // guard: export-hashed-again
      if (chainHash(previous, entry.text) !== entry.hash) return brokenAt(position, 'hash_differs');
      const other = this.#hashes.get(position);
      if (other !== undefined && other !== entry.hash) return brokenAt(position, 'pieces_differ');
      this.#hashes.set(position, entry.hash);
      previous = entry.hash;
    }
    this.#last = Math.max(this.#last, position);
    return null;
  }
}

function chainHash(previous: string, text: string): string {
  return contentSha256(Buffer.concat([Buffer.from(previous, 'hex'), Buffer.from(text, 'utf8')]));
}
