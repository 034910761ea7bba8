import { posix } from 'node:path';
import { type CellFormat, cellFormat } from './cell-format.ts';
import { type NumberFormats, formatCodeOf } from './number-formats.ts';
import { WorkbookPart } from './workbook-part.ts';
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

/** Of parts and of the sheets that name them, as Excel writes them, and as its "Strict Open XML" does. */
const RELATIONSHIPS = [
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  'http://purl.oclc.org/ooxml/officeDocument/relationships',
];

interface Relationship {
  /** With the folder of its namespace. */
  type: string;
  part: string;
}

type Relationships = ReadonlyMap<string, Relationship>;

/** What all sheets of a workbook share. Throws UnreadableFile for an archive that is no workbook. */
export async function readWorkbook(archive: ZipArchive): Promise<Workbook> {
  const root = relatedPart(await relationships(archive, ''), 'officeDocument');
  if (root === null) throw damagedWorkbook();
  const related = await relationships(archive, root);
  const partOf = (type: string) => {
    const part = relatedPart(related, type);
    return part !== null && archive.has(part) ? part : null;
  };
  const { sheets, is1904 } = await readSheets(archive, root, related);
  const styles = partOf('styles');
  return {
    sheets,
    is1904,
    formats: styles === null ? [] : await readFormats(archive, styles),
    sharedStringsPart: partOf('sharedStrings'),
  };
}

/** Of the one relationship of a type; null: there is none. */
function relatedPart(related: Relationships, type: string): string | null {
  const found = [...related.values()].filter((one) => isOfType(one, type));
  // Programs would disagree on which of them is meant.
  // guard: one-part-of-a-type
  if (found.length > 1) throw damagedWorkbook(`the workbook has two parts where it needs one (${type})`);
  return found[0]?.part ?? null;
}

function isOfType({ type }: Relationship, name: string): boolean {
  // guard: types-in-full
  return RELATIONSHIPS.some((folder) => type === `${folder}/${name}`);
}

/** By their ids. `part` empty: of the whole archive. */
async function relationships(archive: ZipArchive, part: string): Promise<Relationships> {
  const folder = posix.dirname(part);
  const found = new Map<string, Relationship>();
  const names = new WorkbookPart('Relationships', {
    ...NOTHING,
    open: (name, { Id: id, Type: type, Target: target, TargetMode: mode }) => {
      if (name !== 'Relationship' || id === undefined || type === undefined || target === undefined) return;
      // guard: relationship-once
      if (found.has(id)) throw damagedWorkbook('two of its parts have the same id');
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      // A link to another file is no part, of whatever type it says to be.
      found.set(id, { type: mode === 'External' ? '' : type, part: path });
    },
  });
  await readXml(archive.read(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), names);
  return found;
}

async function readSheets(
  archive: ZipArchive,
  part: string,
  related: Relationships,
): Promise<Pick<Workbook, 'sheets' | 'is1904'>> {
  const sheets: Worksheet[] = [];
  const names = new Set<string>();
  let prefixes: Prefixes = {};
  let is1904 = false;
  const parts = new WorkbookPart('workbook', {
    ...NOTHING,
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = isTrue(attributes['date1904']);
      if (name === 'workbook' || name === 'sheets') prefixes = withDeclared(prefixes, attributes);
      if (name !== 'sheet') return;
      const target = related.get(idOfPart(attributes, withDeclared(prefixes, attributes)));
      // Charts and macros have sheets of their own, without cells.
      if (target === undefined || !isOfType(target, 'worksheet')) return;
      const state = attributes['state'] ?? 'visible';
      const sheetName = attributes['name'] ?? '';
      // Whoever chooses one by its name would be given the first. Programs take names for the same in any case.
      // guard: sheets-of-one-name
      if (names.has(sheetName.toLowerCase())) throw damagedWorkbook('two of its sheets have the same name');
      names.add(sheetName.toLowerCase());
      sheets.push({ name: sheetName, part: target.part, isHidden: state !== 'visible' });
    },
  });
  await readXml(archive.read(part), parts);
  return { sheets, is1904 };
}

/** What each prefix stands for. */
type Prefixes = Readonly<Record<string, string>>;

/** Some programs declare a prefix for all of the workbook, others for each sheet. */
function withDeclared(prefixes: Prefixes, attributes: Record<string, string>): Prefixes {
  const declared = Object.entries(attributes).filter(([name]) => name.startsWith('xmlns:'));
  return { ...prefixes, ...Object.fromEntries(declared.map(([name, value]) => [name.slice('xmlns:'.length), value])) };
}

/** By the one attribute that is `id` of a namespace of relationships. */
function idOfPart(attributes: Record<string, string>, prefixes: Prefixes): string {
  const ids = Object.entries(attributes).filter(([name]) => {
    const [prefix = '', local] = name.split(':');
    // guard: id-of-a-part
    return local === 'id' && RELATIONSHIPS.includes(prefixes[prefix] ?? '');
  });
  if (ids.length !== 1) throw damagedWorkbook('one of its sheets does not say which part it is');
  return ids[0]?.[1] ?? '';
}

async function readFormats(archive: ZipArchive, part: string): Promise<CellFormat[]> {
  const own: NumberFormats = new Map();
  const ids: number[] = [];
  let isOfCells = false;
  let isList = false;
  const styles = new WorkbookPart('styleSheet', {
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
  await readXml(archive.read(part), styles);
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
