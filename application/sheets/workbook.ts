import { posix } from 'node:path';
import { type CellFormat, cellFormat } from './cell-format.ts';
import { type NumberFormats, formatCodeOf } from './number-formats.ts';
import { readXml, type XmlEvents } from './xml-reader.ts';
import { damagedWorkbook, type ZipArchive } from './zip-archive.ts';

export interface Worksheet {
  name: string;
  /** The part of the archive. */
  part: string;
  isHidden: boolean;
}

export interface Workbook {
  sheets: Worksheet[];
  /** Dates are counted from 1904 instead of 1900. */
  is1904: boolean;
  /** Of each style of cells. */
  formats: CellFormat[];
  /** Null: it has none. */
  sharedStringsPart: string | null;
}

interface Relationship {
  id: string;
  /** The last word of its type. */
  type: string;
  part: string;
}

/** What all sheets of a workbook share. Throws UnreadableFile for an archive that is no workbook. */
export async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const root = (await relationships(archive, '')).find(({ type }) => type === 'officeDocument');
  if (root === undefined) throw damagedWorkbook();
  const related = await relationships(archive, root.part);
  const partOf = (type: string) => related.find((one) => one.type === type && archive.has(one.part))?.part ?? null;
  const { sheets, is1904 } = await readSheets(archive, root.part, related);
  const styles = partOf('styles');
  return {
    sheets,
    is1904,
    formats: styles === null ? [] : await readFormats(archive, styles),
    sharedStringsPart: partOf('sharedStrings'),
  };
}

/** `part` empty: of the whole archive. */
async function relationships(archive: ZipArchive, part: string): Promise<Relationship[]> {
  const folder = posix.dirname(part);
  const found: Relationship[] = [];
  await readXml(archive.read(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), {
    ...NOTHING,
    open: (name, { Id: id, Type: type, Target: target }) => {
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      found.push({ id, type: type.slice(type.lastIndexOf('/') + 1), part: path });
    },
  });
  return found;
}

async function readSheets(
  archive: ZipArchive,
  part: string,
  related: readonly Relationship[],
): Promise<Pick<Workbook, 'sheets' | 'is1904'>> {
  const sheets: Worksheet[] = [];
  const names = new Set<string>();
  let is1904 = false;
  await readXml(archive.read(part), {
    ...NOTHING,
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1];
      const target = related.find((one) => one.id === id);
      // Charts and macros have sheets of their own, without cells.
      if (target?.type !== 'worksheet') return;
      const state = attributes['state'] ?? 'visible';
      const sheetName = attributes['name'] ?? '';
      // Whoever chooses one by its name would be given the first. Programs take names for the same in any case.
      // guard: sheets-of-one-name
      if (names.has(sheetName.toLowerCase())) throw damagedWorkbook('two of its sheets have the same name');
      names.add(sheetName.toLowerCase());
      sheets.push({ name: sheetName, part: target.part, isHidden: state !== 'visible' });
    },
  });
  return { sheets, is1904 };
}

async function readFormats(archive: ZipArchive, part: string): Promise<CellFormat[]> {
  const own: NumberFormats = new Map();
  const ids: number[] = [];
  let isOfCells = false;
  let isList = false;
  await readXml(archive.read(part), {
    ...NOTHING,
    open: (name, attributes) => {
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'numFmts') isList = true;
      const id = Number(attributes['numFmtId'] ?? 0);
      // Formats that depend on a condition (dxfs) have numbers of their own.
      // guard: formats-of-cells
      if (name === 'numFmt' && isList) own.set(id, attributes['formatCode'] ?? 'General');
      if (name === 'xf' && isOfCells) ids.push(id);
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false;
      if (name === 'numFmts') isList = false;
    },
  });
  const known = new Map<string, CellFormat>();
  return ids.map((id) => {
    const code = formatCodeOf(id, own);
    const format = known.get(code) ?? cellFormat(code);
    known.set(code, format);
    return format;
  });
}

export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true' || value === 'on';
}

const NOTHING: XmlEvents = { open: () => undefined, close: () => undefined, text: () => undefined };
