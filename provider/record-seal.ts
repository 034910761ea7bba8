import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * Seals facts that only a holder of the provider's credentials can have learnt: which beneficiary there is the one of an
 * approved row, which quote, which payment. They lie in the record between two requests, and whoever can write there
 * but does not hold the credentials cannot put others in their place.
 */
export interface RecordSeal {
  /** Of the facts, in their order; null among them has a place of its own. */
  of(kind: SealedKind, ...facts: readonly (string | number | null)[]): string;
  /** Whether the seal is of just these facts, by these credentials. */
  holds(seal: string | null, kind: SealedKind, ...facts: readonly (string | number | null)[]): boolean;
}

export type SealedKind = 'beneficiary' | 'shown_beneficiary' | 'quote' | 'payment' | 'file';

/** The key is derived from the secret, so that it changes with it: what was sealed before is then looked at again. */
export function createRecordSeal(account: string, secretAccessKey: string): RecordSeal {
  const key = Buffer.from(hkdfSync('sha256', secretAccessKey, account, 'payrun record seal', KEY_BYTES));
  const of: RecordSeal['of'] = (kind, ...facts) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, ...facts]))
      .digest('base64url');
  return {
    of,
    holds: (seal, kind, ...facts) => {
      if (seal === null) return false;
      const expected = Buffer.from(of(kind, ...facts));
      const given = Buffer.from(seal);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
