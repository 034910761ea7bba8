import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EVERY_HEADER_WORDS } from '../../../domain/import-profiles/header-meanings.ts';
import { nameHeaders } from '../../../domain/import-profiles/headers.ts';
import { textsIn } from '../../../domain/import-profiles/parts-of-text.ts';
import { type Profile, profileSchema } from '../../../domain/import-profiles/profile.ts';
import { canonicalProfile, profileHash } from '../../../domain/import-profiles/profile-hash.ts';
import { proposeProfile } from '../../../domain/import-profiles/propose-profile.ts';
import { readAmount } from '../../../domain/import-profiles/read-amount.ts';
import { preparedReader } from '../../../domain/import-profiles/read-record.ts';
import { rowRefOf } from '../../../domain/import-profiles/row-ref-of.ts';
import { parseAmount } from '../../../domain/money.ts';
import { ROW_REF } from '../../../domain/payment-file/payment-codes.ts';
import { UNSAFE_CHARACTER } from '../../../domain/unsafe-characters.ts';
import { amountForm, anyCell } from './written-forms.ts';

describe('any text', () => {
  test('is no amount as long as the form is not decided', () => {
    fc.assert(
      fc.property(anyCell, (cell) => {
        expect(readAmount(cell, null, 'EUR')).not.toHaveProperty('text');
      }),
      { seed: 33, numRuns: 5_000 },
    );
  });

  test('that is read as an amount keeps every digit, and is plain', () => {
    fc.assert(
      fc.property(anyCell, amountForm, (cell, form) => {
        const read = readAmount(cell.trim(), form, 'EUR');
        if (!('text' in read)) return;
        expect(read.text).toMatch(/^\d+(?:\.\d+)?$/);
        expect(read.text.replace('.', '')).toBe(cell.replace(/\D/g, ''));
      }),
      { seed: 33, numRuns: 50_000 },
    );
  });

  test('that a file of our own columns takes as an amount is the same in our own form', () => {
    fc.assert(
      fc.property(anyCell, (cell) => {
        const ours = parseAmount(cell.trim(), 4);
        if (!('amount' in ours)) return;
        expect(readAmount(cell.trim(), { decimalSign: '.', groupSeparator: '' }, null)).toEqual({ text: cell.trim() });
      }),
      { seed: 33, numRuns: 20_000 },
    );
  });

  test('becomes a row_ref, or is left for the check of the row', () => {
    fc.assert(
      fc.property(anyCell, (cell) => {
        const rowRef = rowRefOf(cell.trim());
        expect(rowRefOf(rowRef)).toBe(rowRef);
        if (UNSAFE_CHARACTER.test(cell.trim()) || rowRef === '' || rowRef.length > 64) return;
        if (!cell.includes('\ufffd')) expect(rowRef).toMatch(ROW_REF);
      }),
      { seed: 33, numRuns: 5_000 },
    );
  });
});

/** With the check digits of ISO 13616, of countries whose account numbers have none of their own. */
const iban = fc
  .tuple(
    fc.constantFrom(
      ...([
        ['AT', 20],
        ['CH', 21],
        ['DE', 22],
        ['SA', 24],
        ['GR', 27],
        ['CY', 28],
      ] as const),
    ),
    fc.array(fc.nat(9), { minLength: 31, maxLength: 31 }),
  )
  .map(([[country, length], digits]) => {
    const account = digits.slice(0, length - 4).join('');
    const number = Array.from(`${account}${country}00`, (letter) => Number.parseInt(letter, 36)).join('');
    return `${country}${String(98n - (BigInt(number) % 97n)).padStart(2, '0')}${account}`;
  });

test('an IBAN in a text is found, in groups or at once, whatever stands around it', () => {
  const grouped = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');
  fc.assert(
    fc.property(
      iban,
      fc.boolean(),
      fc.constantFrom('', ' BIC COBADEFF', ', Bank 1234', ' 1234'),
      (exact, isGrouped, after) => {
        const written = `IBAN: ${isGrouped ? grouped(exact) : exact}${after}`;
        expect([...textsIn(written, 'iban')]).toEqual([exact]);
      },
    ),
    { seed: 33, numRuns: 3_000 },
  );
});

const words = EVERY_HEADER_WORDS.flatMap(({ words: lists }) => Object.values(lists).flatMap((list) => list.split(',')));
const header = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...words),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

const sheet = fc.record({ headers: fc.array(header, { maxLength: 12 }) }).chain(({ headers }) =>
  fc.record({
    headers: fc.constant(headers),
    rows: fc.array(
      fc.array(
        fc.oneof(
          anyCell,
          fc.constantFrom(
            'DE89370400440532013000',
            'EUR',
            'Germany',
            '021000021',
            '27.11.2026',
            '1.234,56',
            'Vogt, Anneke',
          ),
        ),
        { minLength: headers.length, maxLength: headers.length },
      ),
      { maxLength: 4 },
    ),
  }),
);

describe('a profile that is proposed for any sheet', () => {
  test('is valid, fills each of our columns once, and reads without failing', () => {
    fc.assert(
      fc.property(sheet, ({ headers, rows }) => {
        const records = rows.map((cells, index) => ({ line: index + 2, cells }));
        const { profile, columns } = proposeProfile({ headers, records, constants: { sell_currency: 'USD' } });
        expect(new Set(columns.map(({ column }) => column)).size).toBe(columns.length);
        const names = nameHeaders(headers);
        for (const { column, candidates, isDecided } of columns) {
          expect(candidates.length).toBeGreaterThan(0);
          expect(profile.columns[column] === undefined).toBe(!isDecided);
          for (const { source } of candidates) for (const name of source.from) expect(names).toContain(name);
        }
        const reader = preparedReader(profile, headers);
        for (const record of records) reader.read(record);
      }),
      { seed: 33, numRuns: 1_500 },
    );
  });

  test('has an idempotent canonical form', () => {
    fc.assert(
      fc.property(sheet, fc.boolean(), ({ headers, rows }, isReversed) => {
        const records = rows.map((cells, index) => ({ line: index + 2, cells }));
        const { profile } = proposeProfile({ headers, records, constants: {} });
        const once = canonicalProfile(profile);
        expect(canonicalProfile(once)).toEqual(once);
        const reordered: Profile = {
          ...profile,
          name: 'Another',
          ignored: isReversed ? profile.ignored.toReversed() : profile.ignored.map((name) => name.toUpperCase()),
          columns: Object.fromEntries(Object.entries(profile.columns).reverse()),
        };
        if (profileSchema.safeParse(reordered).success) expect(profileHash(reordered)).toBe(profileHash(profile));
      }),
      { seed: 33, numRuns: 500 },
    );
  });
});
