import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { WantedReading } from '../../application/sheets/sheet.ts';
import { zipOf } from '../application/sheets/make-zip.ts';
import { workbookParts } from '../application/sheets/make-workbook.ts';
import { seededRandom } from '../provider/seeded-random.ts';
import { mutated, reworded } from './mutate-bytes.ts';

export const SHEET_READERS = ['csv', 'xlsx', 'pain001', 'json'] as const;
export type SheetReader = (typeof SHEET_READERS)[number];

/** Files of each form, and the parts of a workbook, which are changed before they are packed. */
const folder = path.join(import.meta.dirname, '../application/sheets/files');
const names = readdirSync(folder)
  .filter((name) => !name.endsWith('.py'))
  .sort();
const files = names.map((name) => readFileSync(path.join(folder, name)));
const texts = files.filter((_, index) => names[index]?.endsWith('.csv'));
const workbooks = files.filter((_, index) => names[index]?.endsWith('.xlsx'));
const ordersFolder = path.join(folder, '../orders');
const orders = readdirSync(ordersFolder)
  .filter((name) => name.endsWith('.xml'))
  .sort()
  .map((name) => readFileSync(path.join(ordersFolder, name)));
const lists = [
  '[{"row_ref": "A", "amount": "10.00"}, {"row_ref": "B", "echo": null}]',
  '[{"Supplier": "Müller \\u0047mbH", "IBAN": "DE89370400440532013000", "Amount": 1250.5, "Date": "2026-12-03", "ok": true}]',
  `[${Array.from({ length: 40 }, (_, row) => `{"n": ${row}, "a": "${'x'.repeat(row)}", "b": 1e${row}}`).join(',\n')}]`,
].map((text) => Buffer.from(text));

const parts = workbookParts({
  sheets: {
    One: `<sheetPr filterMode="1"/><cols><col min="2" max="3" hidden="1"/></cols><sheetData>${[1, 2, 3]
      .map(
        (row) =>
          `<row r="${row}" hidden="${row % 2}"><c r="A${row}" t="s"><v>0</v></c><c r="B${row}" s="1"><f>A1</f><v>1.5</v></c><c r="C${row}" s="2"><v>46353</v></c><c r="D${row}" t="inlineStr"><is><r><t>x</t></r></is></c></row>`,
      )
      .join(
        '',
      )}</sheetData><autoFilter ref="A1:D3"><filterColumn/></autoFilter><mergeCells><mergeCell ref="A1:B2"/></mergeCells>`,
    Two: '',
  },
  strings: '<si><t>Müller</t><rPh><t>m</t></rPh></si>',
  styles:
    '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00;[Red]-#,##0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>',
});
const contents = parts.map(({ content }) => Buffer.from(content));

export interface SheetInput {
  bytes: Buffer;
  wanted: WantedReading;
}

/** A damaged file of one form. The same for the same seed. */
export function sheetInput(reader: SheetReader, seed: number): SheetInput {
  const random = seededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const changed = (of: readonly Buffer[], others: readonly Buffer[]) => {
    const bytes = one(of) ?? Buffer.alloc(0);
    return random() < 0.5 ? reworded(bytes, random) : mutated(bytes, others, random);
  };
  const wanted: WantedReading = {};
  if (random() < 0.2)
    wanted.encoding = one(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'shift_jis', 'none']) ?? '';
  if (random() < 0.1) wanted.delimiter = one([',', ';', '"', 'x']) ?? '';
  if (random() < 0.1) wanted.sheetName = one(['One', 'Two', 'Zahlungen', 'PMTINF-01']) ?? '';
  if (reader === 'csv') return { bytes: changed(texts, files), wanted };
  if (reader === 'pain001') return { bytes: changed(orders, orders), wanted };
  if (reader === 'json') return { bytes: changed(lists, files), wanted };
  // Of a workbook that is packed, most changes damage the archive alone.
  if (random() < 0.2) return { bytes: changed(workbooks, files), wanted };
  const place = Math.floor(random() * parts.length);
  const packed = parts.map((part, index) =>
    index === place ? { ...part, content: changed([contents[index]!], contents) } : part,
  );
  return { bytes: zipOf(packed), wanted };
}
