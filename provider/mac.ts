import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

const KEY_BYTES = 32;

/**
 * MACs of values that only a holder of the provider's credentials can have read: which of its beneficiaries belongs to an
 * approved row, which quote, which payment. They are stored in the database between two requests; with the MAC,
 * someone who can write to the database but does not have the credentials cannot replace them.
 */
export interface Mac {
  /** The MAC of the values, in this order. Null is a value of its own. */
  of(kind: MacKind, ...values: readonly (string | number | null)[]): string;
  /** Whether the MAC is of exactly these values, by these credentials. */
  matches(mac: string | null, kind: MacKind, ...values: readonly (string | number | null)[]): boolean;
}

export type MacKind =
  | 'beneficiary'
  | 'shown_beneficiary'
  | 'quote'
  | 'payment'
  | 'file'
  | 'conversion_quote'
  | 'conversion';

/** The key is derived from the secret and changes with it: what has a MAC by the former one is then read again. */
export function createMac(account: string, secretAccessKey: string): Mac {
  // guard: mac-by-secret
  const key = Buffer.from(hkdfSync('sha256', secretAccessKey, account, 'payrun mac', KEY_BYTES));
  const of: Mac['of'] = (kind, ...values) =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, ...values]))
      .digest('base64url');
  return {
    of,
    matches: (mac, kind, ...values) => {
      if (mac === null) return false;
      const expected = Buffer.from(of(kind, ...values));
      const given = Buffer.from(mac);
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}
