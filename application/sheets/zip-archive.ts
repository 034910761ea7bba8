import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { type Entry, fromBufferPromise, openPromise, type ZipFile } from 'yauzl';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import type { SheetLimits } from './sheet.ts';

/** More parts than any workbook has. */
const MOST_PARTS = 10_000;

/** A part that is smaller than this may unfold as far as it will. */
const ALWAYS_BYTES = 16 * 1024 ** 2;

/** The parts of a zip archive, unfolded piece by piece within limits that are counted as they are read. Close it after use. */
export class ZipArchive {
  readonly #zip: ZipFile;
  readonly #parts: ReadonlyMap<string, Entry>;
  readonly #limits: SheetLimits;
  #unfolded = 0;

  private constructor(zip: ZipFile, parts: ReadonlyMap<string, Entry>, limits: SheetLimits) {
    this.#zip = zip;
    this.#parts = parts;
    this.#limits = limits;
  }

  /** Throws UnreadableFile for an archive that is damaged. */
  static async open(content: FileContent, limits: SheetLimits): Promise<ZipArchive> {
    let zip: ZipFile | null = null;
    try {
      const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
      zip =
        content instanceof Uint8Array
          ? await fromBufferPromise(Buffer.from(content.buffer, content.byteOffset, content.byteLength), options)
          : await openPromise(content.path, options);
      return new ZipArchive(zip, await partsOf(zip), limits);
    } catch (error) {
      zip?.close();
      throw asDamage(error);
    }
  }

  /** In lower case, as the names of parts are the same in any case. */
  names(): string[] {
    return [...this.#parts.keys()];
  }

  has(name: string): boolean {
    return this.#parts.has(name.toLowerCase());
  }

  /** Throws UnreadableFile if there is no such part, or if it is damaged, encrypted or unfolds too far. */
  async *read(name: string): AsyncGenerator<Buffer, void, undefined> {
    const part = this.#parts.get(name.toLowerCase());
    if (part === undefined) throw damagedWorkbook();
    const most = Math.max(ALWAYS_BYTES, part.compressedSize * this.#limits.unfoldedRatio);
    let bytes = 0;
    let checksum = 0;
    try {
      const stream = await this.#zip.openReadStreamPromise(part);
      for await (const piece of stream as AsyncIterable<Buffer>) {
        bytes += piece.byteLength;
        this.#unfolded += piece.byteLength;
        if (bytes > most || this.#unfolded > this.#limits.unfoldedBytes) throw unfoldsTooFar();
        checksum = crc32(piece, checksum);
        yield piece;
      }
      // One flipped bit may be another digit of an amount.
      // guard: workbook-checksum
      if (checksum !== part.crc32) throw damagedWorkbook();
    } catch (error) {
      throw asDamage(error);
    }
  }

  close(): void {
    this.#zip.close();
  }
}

async function partsOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const parts = new Map<string, Entry>();
  if (zip.entryCount > MOST_PARTS) throw damagedWorkbook();
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    // Programs would disagree on which of them is shown.
    // guard: parts-of-one-name
    if (parts.has(name)) throw damagedWorkbook('two of its parts have the same name');
    parts.set(name, entry);
  }
  return parts;
}

/** Errors of the archive itself; those of the machine that reads it are no fault of the file. */
function asDamage(error: unknown): unknown {
  const isOfMachine = error instanceof Error && 'syscall' in error;
  return error instanceof UnreadableFile || isOfMachine ? error : damagedWorkbook();
}

export function damagedWorkbook(what = 'the workbook is cut off or damaged', line = 0): UnreadableFile {
  return new UnreadableFile(
    { line },
    'damaged_workbook',
    what,
    'save it again in a spreadsheet program, and submit that file whole',
  );
}

function unfoldsTooFar(): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'unfolds_too_far',
    'the workbook is compressed, and becomes larger than payrun reads',
    'delete sheets and empty rows that are not needed, or save the sheet as CSV',
  );
}
