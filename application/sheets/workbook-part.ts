import { RootNamespace } from './root-namespace.ts';
import type { XmlEvents } from './xml-reader.ts';
import { damagedWorkbook } from './zip-archive.ts';

/** As Excel writes them, and as its "Strict Open XML" does (ISO/IEC 29500). */
const SPREADSHEET = [
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main',
  'http://purl.oclc.org/ooxml/spreadsheetml/main',
];

/** The first elements of the parts that are read, and their namespaces. */
const ROOTS = {
  Relationships: ['http://schemas.openxmlformats.org/package/2006/relationships'],
  workbook: SPREADSHEET,
  worksheet: SPREADSHEET,
  sst: SPREADSHEET,
  styleSheet: SPREADSHEET,
} as const satisfies Record<string, readonly string[]>;

/** What is read. Nobody adds anything to it: what is added is beside it, in what payrun does not read. */
const READ: ReadonlySet<string> = new Set([
  ...['Relationships', 'workbookPr', 'sheets', 'sst', 'numFmts', 'cellXfs'],
  ...['sheetFormatPr', 'cols', 'sheetData', 'mergeCells'],
]);

/**
 * Passes on of a part of a workbook what spreadsheet programs show of it: elements of its own namespace. They leave out what is of
 * another one, and choose between alternatives (`mc:AlternateContent`) by what they know. Where that would decide what is paid, the
 * workbook is refused, elsewhere it is left out.
 */
export class WorkbookPart implements XmlEvents {
  readonly #root: keyof typeof ROOTS;
  readonly #events: XmlEvents;
  readonly #namespace = new RootNamespace();
  #depth = 0;
  /** How many elements are open; 0: none of them. */
  #read = 0;
  #foreign = 0;
  #extension = 0;

  constructor(root: keyof typeof ROOTS, events: XmlEvents) {
    this.#root = root;
    this.#events = events;
  }

  open(name: string, attributes: Record<string, string>, prefix: string): void {
    this.#depth += 1;
    if (this.#depth === 1) this.#begin(name, attributes, prefix);
    if (this.#extension > 0) return;
    const isRead = READ.has(name);
    if (this.#foreign === 0 && !this.#namespace.has(attributes, prefix)) this.#foreign = this.#depth;
    // guard: parts-of-one-namespace
    if (this.#foreign > 0 && (isRead || this.#read > 0)) throw hasOther(name);
    if (this.#foreign > 0) return;
    if (name === 'extLst') this.#extension = this.#depth;
    else {
      if (isRead && this.#read === 0) this.#read = this.#depth;
      this.#events.open(name, attributes, prefix);
    }
  }

  close(name: string): void {
    if (this.#extension === 0 && this.#foreign === 0) this.#events.close(name);
    if (this.#extension === this.#depth) this.#extension = 0;
    if (this.#foreign === this.#depth) this.#foreign = 0;
    if (this.#read === this.#depth) this.#read = 0;
    this.#depth -= 1;
  }

  text(text: string): void {
    if (this.#extension === 0 && this.#foreign === 0) this.#events.text(text);
  }

  #begin(name: string, attributes: Record<string, string>, prefix: string): void {
    const namespace = this.#namespace.begin(attributes, prefix);
    const known: readonly string[] = ROOTS[this.#root];
    // guard: root-of-a-part
    if (name !== this.#root || !known.includes(namespace)) throw hasOther(name);
  }
}

function hasOther(name: string): Error {
  return damagedWorkbook(`the workbook has an element that is not one of a workbook: ${name.slice(0, 40)}`);
}
