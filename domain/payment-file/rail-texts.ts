import { withoutMarks } from '../without-marks.ts';
import { isSEPACountry } from 'ibantools';
import type { PAYMENT_CHANNELS } from './payment-codes.ts';
import type { Corridor } from './reference-data.ts';

/** What the payee will read: which letters, and how many, the systems carry by which banks pay each other. */

/** What is sent: the holder of the account, the address as one text, and the payment reference. */
export interface SentTexts {
  name: string;
  address: string;
  reference: string;
}

export type SentField = keyof SentTexts;

interface RailRule {
  /** As people say it. */
  name: string;
  /** Every letter that is carried: inside of a character class. */
  letters: string;
  isInCapitals: boolean;
  /** Of how many characters each text is carried; 0: it is not carried at all. */
  lengths: Readonly<Record<SentField, number>>;
  /** What stands for a letter that is not carried, and has no Latin letters that stand for it. */
  instead: string;
  /** Whether banks refuse an address without a town. */
  asksForTown: boolean;
}

const LATIN = "a-zA-Z0-9/\\-?:().,'+ ";

const RAILS = {
  // EPC217-08, SEPA requirements for an extended character set, 1; EPC115-06, SEPA credit transfer, implementation guidelines: name 70,
  // remittance information 140, two address lines of 70. Without town and country an address is refused from November 2026 on (EPC153-22).
  sepa: {
    name: 'SEPA',
    letters: LATIN,
    isInCapitals: false,
    lengths: { name: 70, address: 140, reference: 140 },
    instead: '.',
    asksForTown: true,
  },
  // Pay.UK, Faster Payments, ISO 8583 fields 43 and 120: beneficiary name 40, reference information for the beneficiary 18.
  faster_payments: {
    name: 'Faster Payments',
    letters: 'a-zA-Z0-9.\\-/& ',
    isInCapitals: false,
    lengths: { name: 40, address: 0, reference: 18 },
    instead: '?',
    asksForTown: false,
  },
  // Nacha Operating Rules, appendix three: individual or receiving company name 22, payment related information of an addenda record 80.
  ach: {
    name: 'ACH',
    letters: ' -~',
    isInCapitals: false,
    lengths: { name: 22, address: 0, reference: 80 },
    instead: '?',
    asksForTown: false,
  },
  // AusPayNet, BECS Procedures, direct entry detail record: title of the account 32, lodgement reference 18.
  becs: {
    name: 'BECS',
    letters: "a-zA-Z0-9 ^_\\[\\]',?;:=#/.*()&%!$@+\\-",
    isInCapitals: false,
    lengths: { name: 32, address: 0, reference: 18 },
    instead: '?',
    asksForTown: false,
  },
  // Banco de México, SPEI, third party to third party: nombre del beneficiario 40, concepto del pago 40.
  spei: {
    name: 'SPEI',
    letters: 'a-zA-Z0-9.\\-/& ',
    isInCapitals: true,
    lengths: { name: 40, address: 0, reference: 40 },
    instead: '?',
    asksForTown: false,
  },
  // SWIFT, FIN standards MT 103, character set X: fields 59 (4 lines of 35 for name and address, here half and half) and 70 (4 of 35).
  // Translated on the way even where both ends use ISO 20022; CBPR+ refuses addresses without town and country from November 2026 on.
  swift: {
    name: 'SWIFT',
    letters: LATIN,
    isInCapitals: false,
    lengths: { name: 70, address: 70, reference: 140 },
    instead: '.',
    asksForTown: true,
  },
} as const satisfies Readonly<Record<string, RailRule>>;

export type Rail = keyof typeof RAILS;

/** Systems of single countries, by currency and country of the bank. */
const LOCAL_RAILS: Readonly<Record<string, Rail>> = {
  'GBP-GB': 'faster_payments',
  'USD-US': 'ach',
  'AUD-AU': 'becs',
  'MXN-MX': 'spei',
};

/** Null: one whose rules are not known here. Without a channel the provider decides, and prefers the country's own system. */
export function railOf(
  { currency, bankAccountCountry }: Pick<Corridor, 'currency' | 'bankAccountCountry'>,
  channel: (typeof PAYMENT_CHANNELS)[number] | null,
): Rail | null {
  if (channel === 'SWIFT-SHA' || channel === 'SWIFT-OUR') return 'swift';
  if (currency === 'EUR' && isSEPACountry(bankAccountCountry)) return 'sepa';
  return LOCAL_RAILS[`${currency}-${bankAccountCountry}`] ?? null;
}

export function railName(rail: Rail): string {
  return RAILS[rail].name;
}

export function asksForTown(rail: Rail): boolean {
  return RAILS[rail].asksForTown;
}

/** A text as it arrives. */
export interface DeliveredText {
  text: string;
  /** What is cut off its end; empty: nothing. */
  cut: string;
  /** Letters that nothing stands for, each once. */
  lost: string[];
}

export interface Delivered extends Readonly<Record<SentField, DeliveredText>> {
  rail: Rail;
}

/** Null: the rules of the system by which it is paid are not known. */
export function asDelivered(
  corridor: Pick<Corridor, 'currency' | 'bankAccountCountry'>,
  channel: (typeof PAYMENT_CHANNELS)[number] | null,
  texts: SentTexts,
): Delivered | null {
  const rail = railOf(corridor, channel);
  if (rail === null) return null;
  return {
    rail,
    name: deliveredText(rail, 'name', texts.name),
    address: deliveredText(rail, 'address', texts.address),
    reference: deliveredText(rail, 'reference', texts.reference),
  };
}

const NOT_CARRIED = Object.fromEntries(
  Object.entries(RAILS).map(([rail, { letters }]) => [rail, new RegExp(`[^${letters}]`, 'gu')]),
) as Record<Rail, RegExp>;

function deliveredText(rail: Rail, field: SentField, sent: string): DeliveredText {
  const { lengths, instead, isInCapitals } = RAILS[rail];
  const lost = new Set<string>();
  const carried = sent.normalize('NFC').replace(NOT_CARRIED[rail], (letter) => {
    const latin = inLatin(letter).replace(NOT_CARRIED[rail], '');
    if (latin === '') lost.add(letter);
    return latin === '' ? instead : latin;
  });
  const whole = isInCapitals ? carried.toUpperCase() : carried;
  // An address that is not carried is no loss: banks pay by name and account.
  const length = lengths[field];
  const isCut = length > 0 && whole.length > length;
  return { text: whole.slice(0, length), cut: isCut ? whole.slice(length) : '', lost: length === 0 ? [] : [...lost] };
}

/** Banks write these for letters that their systems do not carry (EPC217-08, annex A). */
const LATIN_FOR: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', œ: 'oe', Œ: 'OE', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ð: 'd', Ð: 'D' },
  ...{ þ: 'th', Þ: 'TH', ı: 'i', ħ: 'h', Ħ: 'H', ŋ: 'n', Ŋ: 'N', '&': '+', '@': '(at)', _: '-', '–': '-', '—': '-' },
  ...{
    '’': "'",
    '‘': "'",
    '´': "'",
    '`': "'",
    '“': "'",
    '”': "'",
    '„': "'",
    '"': "'",
    '«': "'",
    '»': "'",
    '\u00a0': ' ',
  },
  ...{ ';': ',', '*': '.', '#': '.', '=': '.', '%': '.', '!': '.', '<': '(', '>': ')', '[': '(', ']': ')', '€': 'EUR' },
  ...{ '+': '-', ',': ' ', "'": ' ', ':': ' ', '(': ' ', ')': ' ', '?': ' ', $: 'USD', '£': 'GBP', '°': 'o', '§': '.' },
};

function inLatin(letter: string): string {
  const plain = withoutMarks(letter);
  return LATIN_FOR[plain] ?? LATIN_FOR[letter] ?? plain;
}
