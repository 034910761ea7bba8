import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { SheetLimits } from './sheet.ts';
import { WorkbookPart } from './workbook-part.ts';
import { readXml } from './xml-reader.ts';
import type { ZipArchive } from './zip-archive.ts';

const BLOCK_BYTES = 1024 ** 2;
const BYTES_PER_CHARACTER = 4;
/** What each text takes beside its bytes. */
const PLACE_BYTES = 8;

/** The texts of a workbook, which its cells name by numbers: as bytes in few large blocks, a fraction of what strings would take. */
export class SharedStrings {
  readonly #limits: SheetLimits;
  readonly #blocks: Buffer[] = [];
  /** Of each text: where it begins, counted over all blocks, and its bytes. */
  #places = new Uint32Array(2 * 1024);
  #count = 0;
  #next = 0;

  constructor(limits: SheetLimits) {
    if (limits.cellCharacters * BYTES_PER_CHARACTER >= BLOCK_BYTES) throw new Error('a cell must fit into a block');
    this.#limits = limits;
  }

  add(text: string): void {
    // It is refused where a cell has it.
    const kept = text.length > this.#limits.cellCharacters ? text.slice(0, this.#limits.cellCharacters + 1) : text;
    const length = Buffer.byteLength(kept);
    if (length > this.#blocks.length * BLOCK_BYTES - this.#next) this.#addBlock();
    const start = this.#next;
    this.#blocks.at(-1)?.write(kept, start % BLOCK_BYTES);
    this.#next += length;
    if (2 * this.#count === this.#places.length) {
      const longer = new Uint32Array(2 * this.#places.length);
      longer.set(this.#places);
      this.#places = longer;
    }
    this.#places.set([start, length], 2 * this.#count);
    this.#count += 1;
    if (this.#next + this.#count * PLACE_BYTES > this.#limits.distinctTextBytes) throw tooManyTexts();
  }

  /** Undefined: there is none of this number. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.#count)) return undefined;
    const start = this.#places[2 * index] ?? 0;
    const end = start + (this.#places[2 * index + 1] ?? 0);
    if (start === end) return '';
    const block = this.#blocks[Math.floor(start / BLOCK_BYTES)];
    const from = start - (start % BLOCK_BYTES);
    return block?.toString('utf8', start - from, end - from);
  }

  #addBlock(): void {
    this.#next = this.#blocks.length * BLOCK_BYTES;
    this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
  }
}

/** Rich text is the text of its parts; how it is pronounced is not part of it. */
export async function readSharedStrings(
  archive: ZipArchive,
  part: string | null,
  limits: SheetLimits,
): Promise<SharedStrings> {
  const strings = new SharedStrings(limits);
  if (part === null) return strings;
  let text = '';
  let isText = false;
  let isSpoken = false;
  const texts = new WorkbookPart('sst', {
    open: (name) => {
      if (name === 'si') text = '';
      if (name === 'rPh') isSpoken = true;
      isText = name === 't' && !isSpoken;
    },
    close: (name) => {
      if (name === 'si') strings.add(text);
      if (name === 'rPh') isSpoken = false;
      isText = false;
    },
    text: (more) => {
      if (isText && text.length <= limits.cellCharacters) text += more;
    },
  });
  await readXml(archive.read(part), texts);
  return strings;
}

/** Characters that XML cannot have are written as their numbers: "_x000D_". */
export function unescaped(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
}

function tooManyTexts(): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'unfolds_too_far',
    'the workbook has more different texts than payrun reads',
    'delete what is not needed, or save the sheet as CSV',
  );
}
