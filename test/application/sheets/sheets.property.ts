import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadableFile } from '../../../application/payment-file/file-problem.ts';
import { CsvParser } from '../../../application/sheets/csv-parser.ts';
import { SHEET_LIMITS, type WantedReading } from '../../../application/sheets/sheet.ts';
import { read } from './read-sheets.ts';
import { type CsvStyle, csvBytes, xlsxBytes } from './write-sheets.ts';

const MARKS = fc.constantFrom(
  ',',
  ';',
  '\t',
  '|',
  '"',
  '\n',
  '\r\n',
  '\r',
  "'",
  ' ',
  '=',
  'sep=;',
  '<',
  '&',
  '_x000D_',
  '€',
  '0',
  '1,5',
);
const LATIN = fc.string({
  unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 4,
});
const latinCell = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[ -~]*$/),
      MARKS.filter((mark) => mark !== '€'),
      LATIN,
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.join(''));
const anyCell = fc
  .array(fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), MARKS), { maxLength: 4 })
  .map((parts) => parts.join('').replaceAll('\0', ''));

const tableOf = (cell: fc.Arbitrary<string>) =>
  fc
    .integer({ min: 1, max: 6 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }));

const style: fc.Arbitrary<CsvStyle> = fc.record({
  delimiter: fc.constantFrom(',', ';', '\t', '|'),
  encoding: fc.constantFrom('utf-8', 'utf-16le', 'utf-16be', 'windows-1252'),
  hasMark: fc.boolean(),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  quotesAll: fc.boolean(),
  hasSeparatorLine: fc.boolean(),
  endsWithLineEnd: fc.boolean(),
});

const written = style.chain((chosen) =>
  fc.record({ style: fc.constant(chosen), table: tableOf(chosen.encoding === 'windows-1252' ? latinCell : anyCell) }),
);

/** Null: the file was refused. */
async function cellsOf(bytes: Buffer, wanted: WantedReading): Promise<string[][] | null> {
  try {
    return (await read(bytes, wanted)).cells;
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

test('a table written as CSV in any form, and read as it was written, is the same', async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ style: { hasMark, ...form }, table }) => {
      // Such a line names the delimiter.
      fc.pre(!/^sep=/i.test(table[0]?.[0] ?? ''));
      const isMarked = hasMark && form.encoding !== 'windows-1252';
      const bytes = csvBytes(table, { ...form, hasMark: isMarked });
      // It may be refused, and is never read as something else.
      const cells = await cellsOf(bytes, { encoding: form.encoding, delimiter: form.delimiter });
      if (cells !== null) expect(cells).toEqual(table);
    }),
    { numRuns: 3_000 },
  );
});

test('a table of ordinary cells is read without any choice, or the proposal names what it was written with', async () => {
  const word = fc.stringMatching(/^[A-Za-zäöüß]{1,8}( [A-Za-zéèñ]{1,8})?$/);
  const amount = fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2));
  const rows = fc.array(fc.tuple(word, amount, word, amount), { minLength: 2, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(style, rows, async (form, table) => {
      const bytes = csvBytes([['Name', 'Amount', 'Text', 'Tax'], ...table], {
        ...form,
        hasMark: form.hasMark && form.encoding !== 'windows-1252',
      });
      const { sheet, cells } = await read(bytes);
      expect(sheet.reading.delimiter).toBe(form.delimiter);
      const isSure = sheet.proposals.every(({ what }) => what !== 'encoding');
      const isAscii = table.flat().every((cell) => /^[ -~]*$/.test(cell));
      if (isSure || isAscii || sheet.reading.encoding === form.encoding) expect(cells.slice(1)).toEqual(table);
      else expect(sheet.proposals[0]?.others.map(({ value }) => value)).toContain(form.encoding);
    }),
    { numRuns: 2_000 },
  );
});

test('a table written as a workbook, and read, is the same', async () => {
  const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true });
  const table = tableOf(anyCell).chain((texts) =>
    fc.record({
      texts: fc.constant(texts),
      numbers: fc.array(anyNumber, { minLength: texts.length, maxLength: texts.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(table, fc.boolean(), async ({ texts, numbers }, isShared) => {
      const bytes = xlsxBytes(
        texts.map((row, index) => [...row, numbers[index] ?? 0]),
        isShared,
      );
      const { records } = await read(bytes);
      expect(records.map(({ cells }) => cells.slice(0, -1))).toEqual(texts);
      records.forEach(({ values }, index) => {
        const exact = values?.at(-1) ?? '';
        expect(exact).not.toContain('e');
        // The 15 digits that a spreadsheet shows of it; beyond them whole numbers alone have more. Zero has no sign.
        const number = numbers[index] ?? 0;
        const shown = Math.abs(number) < 1e15 ? Number(number.toPrecision(15)) : number;
        expect(Number(exact) + 0).toBe(shown + 0);
      });
    }),
    { numRuns: 500 },
  );
});

test('records are those of another parser, wherever the text is cut', () => {
  const text = fc
    .array(fc.oneof(fc.constantFrom('a', 'b', ',', '"', '""', '"x"', '\n', '\r\n'), fc.string({ maxLength: 3 })), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 60 }), { maxLength: 5 }), (csv, cuts) => {
      const own = inPieces(csv, cuts);
      expect(own).toEqual(inPieces(csv, []));
      if (own === null) return;
      expect(own).toEqual(
        parse(csv, { record_delimiter: ['\r\n', '\n'], skip_empty_lines: true, relax_column_count: true }),
      );
    }),
    { numRuns: 20_000 },
  );
});

function inPieces(csv: string, cuts: readonly number[]): string[][] | null {
  const parser = new CsvParser({ delimiter: ',', lineEnd: 'lf', firstLine: 1 }, SHEET_LIMITS);
  const places = [0, ...cuts.filter((cut) => cut < csv.length).sort((one, other) => one - other), csv.length];
  try {
    const pieces = places.slice(1).map((place, index) => csv.slice(places[index], place));
    return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()].map(({ cells }) => cells);
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}
