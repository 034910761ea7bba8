import { describe, expect, it } from 'vitest';
import { type AuditPiece, ExportVerification, HASH_BEFORE_ALL } from '../../domain/audit/audit-export.ts';
import { GENESIS, nextHash } from '../../store/audit/audit-chain.ts';

/** Pieces of a trail of six entries, by the hashes that the database makes. */
function trail(texts = ['one', 'two', 'drei', 'vier', 'ünf', 'six']): (from: number, to: number) => AuditPiece {
  const hashes: Buffer[] = [GENESIS];
  for (const text of texts) hashes.push(nextHash(hashes.at(-1) ?? GENESIS, text));
  const hex = (position: number) => hashes[position]?.toString('hex') ?? '';
  return (from, to) => ({
    format: 'payrun-audit-1',
    previousHash: hex(from - 1),
    entries: texts
      .slice(from - 1, to)
      .map((text, index) => ({ position: from + index, hash: hex(from + index), text })),
  });
}

function verified(...pieces: AuditPiece[]) {
  const verification = new ExportVerification();
  for (const [index, piece] of pieces.entries()) {
    const broken = verification.add(`piece ${index + 1}`, piece);
    if (broken !== null) return broken;
  }
  return verification.head;
}

const piece = trail();
const HEAD = { position: 6, hash: piece(6, 6).entries[0]?.hash };

describe('an export of the audit trail', () => {
  it('is unbroken as it was exported, also where a piece came twice, or longer the second time', () => {
    expect(verified(piece(1, 3), piece(4, 6))).toEqual(HEAD);
    expect(verified(piece(1, 3), piece(1, 3), piece(4, 5), piece(4, 6))).toEqual(HEAD);
    expect(piece(1, 1).previousHash).toBe(HASH_BEFORE_ALL);
  });

  it('is verified from wherever it begins', () => {
    const verification = new ExportVerification();
    expect(verification.add('a', piece(3, 6))).toBeNull();
    expect([verification.first, verification.head]).toEqual([3, HEAD]);
  });

  it('is broken where an entry was altered', () => {
    const altered = piece(1, 6);
    const [, entry] = altered.entries;
    if (entry !== undefined) entry.text = 'TWO';
    expect(verified(altered)).toMatchObject({ position: 2, problem: 'hash_differs' });
  });

  it('is broken where entries are missing within a piece, or between two', () => {
    const { entries, ...rest } = piece(1, 6);
    expect(verified({ ...rest, entries: entries.filter(({ position }) => position !== 3) })).toMatchObject({
      ...{ position: 3, problem: 'out_of_order' },
    });
    expect(verified(piece(1, 2), piece(4, 6))).toEqual({ piece: 'piece 2', position: 3, problem: 'entries_missing' });
  });

  it('is broken where the trail was written again between two pieces', () => {
    const again = trail(['one', 'TWO', 'drei', 'vier', 'ünf', 'six']);
    expect(verified(piece(1, 3), again(4, 6))).toEqual({ piece: 'piece 2', position: 4, problem: 'pieces_differ' });
    expect(verified(piece(1, 3), again(1, 6))).toEqual({ piece: 'piece 2', position: 2, problem: 'pieces_differ' });
    expect(verified({ ...again(1, 3), previousHash: 'f'.repeat(64) })).toMatchObject({ problem: 'pieces_differ' });
  });
});
