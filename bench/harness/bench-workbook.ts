import { crc32, createDeflateRaw } from 'node:zlib';
import type { PaymentRow } from '../../fixtures/payment-rows.ts';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'xl/worksheets/sheet1.xml';
const relationship = (id: string, type: string, target: string): string =>
  `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`;

/** Beside its only sheet. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"/>`,
  '_rels/.rels': relationship('r1', 'officeDocument', 'xl/workbook.xml'),
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Payments" sheetId="1" r:id="s1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': relationship('s1', 'worksheet', 'worksheets/sheet1.xml'),
};

/** The bytes of a workbook whose cells are texts in the cells themselves, as programs write large ones. */
export async function* workbookPieces(rows: Iterable<PaymentRow[]>): AsyncGenerator<Buffer, void, undefined> {
  const parts = [
    ...Object.entries(PARTS).map(([name, text]) => ({ name, pieces: [text] })),
    { name: SHEET, pieces: sheetPieces(rows) },
  ];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, pieces } of parts) {
    const start = at;
    const local = Buffer.concat([
      header(0x04034b50, [20, 8, 8, 0, 0x21], [0, 0, 0], [name.length, 0]),
      Buffer.from(name),
    ]);
    yield local;
    at += local.length;
    const sizes = { crc: 0, packed: 0, whole: 0 };
    for await (const piece of deflated(pieces, sizes)) {
      yield piece;
      at += piece.length;
    }
    const { crc, packed, whole } = sizes;
    const descriptor = header(0x08074b50, [], [crc, packed, whole], []);
    yield descriptor;
    at += descriptor.length;
    central.push(
      header(
        0x02014b50,
        [20, 20, 8, 8, 0, 0x21],
        [crc, packed, whole],
        [name.length, 0, 0, 0, 0, 0, 0, start & 0xffff, start >>> 16],
      ),
      Buffer.from(name),
    );
  }
  const directory = Buffer.concat(central);
  yield directory;
  yield header(0x06054b50, [0, 0, parts.length, parts.length], [directory.length, at], [0]);
}

async function* deflated(
  pieces: Iterable<string>,
  sizes: { crc: number; packed: number; whole: number },
): AsyncGenerator<Buffer, void, undefined> {
  const packer = createDeflateRaw({ level: 1 });
  const written = (async () => {
    for (const piece of pieces) {
      const bytes = Buffer.from(piece);
      sizes.crc = crc32(bytes, sizes.crc);
      sizes.whole += bytes.length;
      if (!packer.write(bytes)) await new Promise((resolve) => packer.once('drain', resolve));
    }
    packer.end();
  })();
  for await (const packed of packer) {
    sizes.packed += (packed as Buffer).length;
    yield packed as Buffer;
  }
  await written;
}

function* sheetPieces(pieces: Iterable<PaymentRow[]>): Generator<string, void, undefined> {
  let line = 0;
  yield `<worksheet xmlns="${MAIN}"><sheetData>`;
  for (const rows of pieces) {
    if (line === 0) yield rowOf((line += 1), Object.keys(rows[0] ?? {}));
    yield rows.map((row) => rowOf((line += 1), Object.values(row))).join('');
  }
  yield '</sheetData></worksheet>';
}

function rowOf(line: number, cells: readonly (string | undefined)[]): string {
  const texts = cells.map((cell) => `<c t="inlineStr"><is><t>${cell ?? ''}</t></is></c>`);
  return `<row r="${line}">${texts.join('')}</row>`;
}

/** Numbers of 2 and 4 bytes after the mark, in the order of the format. */
function header(mark: number, shorts: readonly number[], longs: readonly number[], last: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 2 * shorts.length + 4 * longs.length + 2 * last.length);
  let at = bytes.writeUInt32LE(mark);
  for (const short of shorts) at = bytes.writeUInt16LE(short, at);
  for (const long of longs) at = bytes.writeUInt32LE(long, at);
  for (const short of last) at = bytes.writeUInt16LE(short, at);
  return bytes;
}
