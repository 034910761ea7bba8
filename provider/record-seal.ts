import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * Seals values that only a holder of the provider's credentials can have read: which of its beneficiaries belongs to an
 * approved row, which quote, which payment. They are stored in the database between two requests; with the seal,
 * someone who can write to the database but does not have the credentials cannot replace them.
 */
export interface RecordSeal {
  /** The seal of the values, in this order. Null is a value of its own. */
  of(kind: SealedKind, ...values: readonly (string | number | null)[]): string;
  /** Whether the seal is of exactly these values, by these credentials. */
  matches(seal: string | null, kind: SealedKind, ...values: readonly (string | number | null)[]): boolean;
}

export type SealedKind =
  | 'beneficiary'
  | 'shown_beneficiary'
  | 'quote'
  | 'payment'
  | 'file'
  | 'conversion_quote'
  | 'conversion';

/** The key is derived from the secret and changes with it: what was sealed before is then read again. */
export function createRecordSeal(account: string, secretAccessKey: string): RecordSeal {
  // guard: seal-by-secret
  const key = Buffer.from(hkdfSync('sha256', secretAccessKey, account, 'payrun record seal', KEY_BYTES));
  const of: RecordSeal['of'] = (kind, ...values) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, ...values]))
      .digest('base64url');
  return {
    of,
    matches: (seal, kind, ...values) => {
      if (seal === null) return false;
      const expected = Buffer.from(of(kind, ...values));
      const given = Buffer.from(seal);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
