import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';

/** In the order of precedence: what could be called several of them is called the first. */
export const BREAK_TYPES = [
  'chain_broken',
  'closing_differs',
  'double_entry',
  'wrong_amount',
  'fee_differs',
  'conversion_leg',
  'refund_missing_or_short',
  'refund_without_payment',
  'missing_entry',
  'unexplained_entry',
] as const;

export type BreakType = (typeof BREAK_TYPES)[number];

export const BREAK_MEANINGS: Readonly<Record<BreakType, string>> = {
  chain_broken: 'The balance after one entry is not the balance before the next: entries are missing, or wrong.',
  closing_differs: 'The balance after the last entry is not the balance that the provider shows.',
  double_entry: 'There are more entries of an amount than payments or other facts that expect it.',
  wrong_amount: 'The only entry that can belong to a fact has another amount.',
  fee_differs: 'The fees are not as agreed, or are not written as usual for this account.',
  conversion_leg: 'Of a conversion only the sold or only the bought amount is in the history.',
  refund_missing_or_short: 'A refund is not in the history, or with less than was refunded.',
  refund_without_payment: 'A refund belongs to no payment that was debited.',
  missing_entry: 'Money should have moved, and no entry shows it.',
  unexplained_entry: 'Money moved, and nothing in our record explains it.',
};

/** A difference that a person has to explain. Amounts are signed decimal strings. */
export interface Break {
  /** The same for the same difference, however often it is found. */
  readonly breakId: string;
  readonly type: BreakType;
  readonly currency: string;
  readonly factIds: readonly string[];
  readonly entryIds: readonly string[];
  readonly expected: string | null;
  readonly found: string | null;
  /** Other facts or entries have the same amount: it may be any of them. */
  readonly isAmbiguous: boolean;
  /** One sentence for a person. */
  readonly reason: string;
}

export function breakOf(content: Omit<Break, 'breakId'>): Break {
  const { type, currency, factIds, entryIds, expected, found } = content;
  return { ...content, breakId: contentSha256(canonicalJson([type, currency, factIds, entryIds, expected, found])) };
}
