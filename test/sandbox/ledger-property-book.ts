import type { SandboxOptions } from '../../sandbox/config/options.ts';
import type { CarefulCaller } from './ledger-property-caller.ts';

/** A payment from an answer, or found after a lost answer. Amounts are decimal strings. */
export interface PaymentNote {
  readonly id: string;
  readonly sell: string;
  readonly totalAmount: string;
  /** The number of effective fundings. */
  debits: number;
}

export interface ConversionNote {
  readonly id: string;
  readonly sell: string;
  readonly totalAmount: string;
  readonly buy: string;
  readonly buyAmount: string;
  debits: number;
  /** Whether an operator ever completed it. */
  wasCompleted: boolean;
}

/** Incoming money, whose credit is known from the answer that created it. */
export interface IncomingNote {
  readonly currency: string;
  readonly amount: string;
}

export interface RefundNote {
  /** Whether it was created automatically and forced later, possibly after it had completed. */
  readonly isAutomatic: boolean;
  /** Whether it was forced to `completed` at least once. */
  readonly wasCompleted: boolean;
}

/** What a caller and an operator know about one API key from the answers only. */
export interface Book {
  readonly caller: CarefulCaller;
  readonly options: Pick<SandboxOptions, 'refundMs' | 'duplicateReference'>;
  readonly initial: Readonly<Record<string, string>>;
  readonly beneficiaries: { id: string; currency: string }[];
  readonly quotes: { id: string; totalAmount: string; isUsed: boolean }[];
  readonly conversionQuotes: { id: string }[];
  /** By id, in the order of the answers. */
  readonly payments: Map<string, PaymentNote>;
  readonly conversions: Map<string, ConversionNote>;
  /** Creations with a lost answer that no lookup has found so far. */
  openPayments: number;
  openConversions: number;
  readonly fundings: Map<string, IncomingNote & { wasCompleted: boolean }>;
  /** Fundings that only report a deposit, and whether the deposit had completed. */
  readonly reports: Map<string, boolean>;
  /** Completed deposits, and credits of the control API. */
  readonly deposits: IncomingNote[];
  /** Refunds that were created or forced manually; all others are automatic. */
  readonly refundsByHand: Map<string, RefundNote>;
  readonly virtualAccounts: Map<string, string>;
  /** Whether an operator forced a debited payment back to awaiting_funds, so that it can be debited again. */
  wasForcedBack: boolean;
  references: number;
}

export const aBook = (caller: CarefulCaller, options: Book['options'], initial: Book['initial']): Book => ({
  caller,
  options,
  initial,
  beneficiaries: [],
  quotes: [],
  conversionQuotes: [],
  payments: new Map(),
  conversions: new Map(),
  openPayments: 0,
  openConversions: 0,
  fundings: new Map(),
  reports: new Map(),
  deposits: [],
  refundsByHand: new Map(),
  virtualAccounts: new Map(),
  wasForcedBack: false,
  references: 0,
});

export const soldCurrencies = ['USD', 'EUR', 'JPY', 'KWD'] as const;

/** Two decimals, none, and three. */
export const decimalsOf: Readonly<Record<string, number>> = { USD: 2, EUR: 2, JPY: 0, KWD: 3 };

/** Minor units as a decimal string. */
export function inMajor(minor: number, currency: string): string {
  const places = decimalsOf[currency] ?? 2;
  const digits = String(minor).padStart(places + 1, '0');
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** One of the items, counted from the newest; undefined when there are none. */
export const pick = <Item>(items: Iterable<Item>, which: number): Item | undefined => {
  const all = [...items];
  return all.at(-1 - (which % Math.max(1, all.length)));
};
