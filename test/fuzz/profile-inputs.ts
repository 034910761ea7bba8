import { READY_PROFILES } from '../../domain/import-profiles/ready-profiles.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { seededRandom } from '../provider/seeded-random.ts';
import { mutated } from './mutate-bytes.ts';

type Random = () => number;

/** With every step that a column may have. */
const EVERY_STEP = {
  name: 'Every step',
  reading: { encoding: 'windows-1252', delimiter: ';', headerLine: 3 },
  headers: ['Nr', 'Name', 'Konto', 'Betrag', 'Tag', 'Art', 'Text', 'Text (2)'],
  ignored: [],
  columns: {
    row_ref: { from: ['Nr'], prefix: 'A-', replaceLetters: true },
    beneficiary_first_name: { from: ['Name'], part: 'after_comma' },
    beneficiary_last_name: { from: ['Name'], part: 'before_comma' },
    bank_iban: { from: ['Konto'], part: 'iban' },
    bank_bic_swift: { from: ['Konto'], part: 'bic' },
    bank_country: { from: ['Konto'], part: 'iban_country' },
    amount: { from: ['Betrag'] },
    pay_on: { from: ['Tag'] },
    purpose_of_transfer: { from: ['Art'], translate: { Lieferant: 'SUPP', Lohn: 'SALA' }, constant: 'SUPP' },
    payment_reference: { from: ['Text', 'Text (2)'], between: ' / ', strip: ['label', 'dots'], capitals: true },
    amount_side: { constant: 'buy' },
  },
  amountForm: { decimalSign: ',', groupSeparator: '.' },
  dateForm: { order: 'dmy', yearDigits: 4 },
};

const profiles: readonly unknown[] = [EVERY_STEP, ...READY_PROFILES];

const CELLS = [
  ...[
    '',
    ' ',
    'A-1',
    'Müller, Anna',
    'a,b,c',
    'DE89 3704 0044 0532 0130 00',
    'IBAN DE89370400440532013000 BIC DEUTDEFF',
  ],
  ...[
    '1.250,00',
    '1,250.00',
    '-5',
    '1e9',
    '9'.repeat(300),
    '€ 12,5',
    '31.12.2026',
    '2026-12-31',
    '12/31/26',
    '31122026',
  ],
  ...[
    'lieferant',
    'Lohn',
    'Rechnung: 4711.',
    '\ud800',
    '\u0000',
    '\u200f',
    '#####',
    '1.2E+15',
    '=1+1',
    '𝔘',
    'x'.repeat(9_000),
  ],
];
const VALUES = [
  null,
  null,
  null,
  '1250.5',
  '2026-12-31',
  '2026-12-31T13:30:00',
  '-1',
  '1e300',
  '0.0000001',
  '123456789012345',
];

/** The JSON of a damaged profile, the headers of a sheet that may be its own, and rows. The same for the same seed. */
export interface ProfileInput {
  json: string;
  headers: string[];
  records: SheetRecord[];
}

export function profileInput(seed: number): ProfileInput {
  const random = seededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const profile = structuredClone(one(profiles)) as { headers: string[] };
  const headers = [...profile.headers];
  if (random() < 0.2) headers.splice(Math.floor(random() * headers.length), 1, one(['', 'Nr', 'column 2', 'amount']));
  const changes = Math.floor(3 * random());
  for (let change = 0; change < changes; change++) changeWithin(profile, random);
  const json = JSON.stringify(profile);
  const records = [2, 3, 4].map((line) => ({
    line,
    cells: headers.map(() => one(CELLS)),
    ...(random() < 0.5 ? {} : { values: headers.map(() => one(VALUES)) }),
  }));
  const isDamaged = random() < 0.2;
  return { json: isDamaged ? mutated(Buffer.from(json), [], random).toString() : json, headers, records };
}

/** What may stand in the place of any value. */
const OTHERS: readonly unknown[] = [
  ...[
    null,
    true,
    0,
    -1,
    2,
    1e308,
    '',
    ' ',
    ',',
    '.',
    'Nr',
    'Konto',
    'iban',
    'bic',
    'before_comma',
    '__proto__',
    'toString',
  ],
  ...[
    [],
    {},
    ['Nr'],
    ['Nr', 'Konto'],
    ['blanks', 'slashes'],
    { a: 'b' },
    { from: ['Tag'] },
    { constant: 'x' },
    '\ud800',
  ],
];

/** Replaces, removes or adds one value somewhere in an object. */
function changeWithin(value: object, random: Random): void {
  const entries = Object.entries(value) as [string, unknown][];
  const [key, inner] = entries[Math.floor(random() * entries.length)] ?? ['from', null];
  if (typeof inner === 'object' && inner !== null && random() < 0.7) {
    changeWithin(inner, random);
    return;
  }
  const kind = random();
  // A copy: it may be changed later.
  const other = structuredClone(OTHERS[Math.floor(random() * OTHERS.length)]);
  const [otherKey] = entries[Math.floor(random() * entries.length)] ?? ['pay_on'];
  if (kind < 0.2) Reflect.deleteProperty(value, key);
  else Reflect.set(value, kind < 0.4 ? otherKey : key, kind < 0.5 ? structuredClone(inner) : other);
}
