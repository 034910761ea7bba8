import type { SandboxOptions } from '../../sandbox/config/options.ts';
import type { CarefulCaller } from './ledger-property-caller.ts';

/** A payment that the caller was told of, or found after an answer was lost. Amounts are decimal strings. */
export interface PaymentNote {
  readonly id: string;
  readonly sell: string;
  readonly totalAmount: string;
  /** How often a funding of it took effect. */
  debits: number;
}

export interface ConversionNote {
  readonly id: string;
  readonly sell: string;
  readonly totalAmount: string;
  readonly buy: string;
  readonly buyAmount: string;
  debits: number;
  /** An operator completed it once. */
  wasCompleted: boolean;
}

/** Money that came in: whose credit is known from what was answered when it came. */
export interface IncomingNote {
  readonly currency: string;
  readonly amount: string;
}

export interface RefundNote {
  /** It came by itself and was moved by hand later, perhaps after it had completed. */
  readonly byItself: boolean;
  /** It was put into `completed` by hand at least once. */
  readonly wasCompleted: boolean;
}

/** What a caller and an operator know of one API key from what they were told, and from nothing else. */
export interface Book {
  readonly caller: CarefulCaller;
  readonly options: Pick<SandboxOptions, 'refundMs' | 'duplicateReference'>;
  readonly initial: Readonly<Record<string, string>>;
  readonly beneficiaries: { id: string; currency: string }[];
  readonly quotes: { id: string; totalAmount: string; isUsed: boolean }[];
  readonly conversionQuotes: { id: string }[];
  /** By id, in the order in which they became known. */
  readonly payments: Map<string, PaymentNote>;
  readonly conversions: Map<string, ConversionNote>;
  /** Creations whose answer was lost and which no look-up has shown so far. */
  openPayments: number;
  openConversions: number;
  readonly fundings: Map<string, IncomingNote & { wasCompleted: boolean }>;
  /** Fundings that only report a deposit, and whether that deposit had completed. */
  readonly reports: Map<string, boolean>;
  /** Deposits that completed, and what the control door credited. */
  readonly deposits: IncomingNote[];
  /** Refunds that were made or moved by hand; all others come and complete by themselves. */
  readonly refundsByHand: Map<string, RefundNote>;
  readonly virtualAccounts: Map<string, string>;
  /** An operator put a debited payment back to awaiting_funds, so that it can be debited again. */
  putBack: boolean;
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
  putBack: false,
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
