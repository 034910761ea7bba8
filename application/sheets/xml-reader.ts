import { TextDecoder } from 'node:util';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { markedEncoding } from './text-encoding.ts';
import { damagedWorkbook } from './zip-archive.ts';

/** What is found in an XML document, in its order. */
export interface XmlEvents {
  /** `name` without its prefix, which is empty where it has none. */
  open(name: string, attributes: Record<string, string>, prefix: string): void;
  close(name: string): void;
  /** All of the text between two tags. */
  text(text: string): void;
}

export interface XmlForm {
  /** As TextDecoder names it; null: as the first bytes say, else UTF-8. */
  encoding: string | null;
  /** What is thrown for a document that is cut off or not well-formed. */
  damaged: () => UnreadableFile;
}

const PART_OF_WORKBOOK: XmlForm = { encoding: null, damaged: damagedWorkbook };

/** Deeper than any part of a workbook, and than any payment order. */
const DEEPEST = 100;

/** Longer than any text of a workbook, which has at most 32,767 characters: nothing longer is gathered in memory. */
const LONGEST_CHARACTERS = 1024 ** 2;

/**
 * Reads XML piece by piece, as strictly as XML is, and gives what was found so far after each piece and at the end. Throws
 * UnreadableFile for what is not well-formed, has a document type, nests too deeply or has too long a text.
 */
export async function* xmlSteps<Found>(
  pieces: AsyncIterable<Uint8Array>,
  events: XmlEvents,
  found: () => Found,
  { encoding, damaged }: XmlForm = PART_OF_WORKBOOK,
): AsyncGenerator<Found, void, undefined> {
  const parser = new StrictParser(events, damaged);
  const decoded = (decoder: TextDecoder, piece: Uint8Array | null): string => {
    try {
      return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch {
      throw damaged();
    }
  };
  let decoder: TextDecoder | null = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(encoding ?? markedEncoding(piece) ?? 'utf-8', { fatal: true });
    parser.write(decoded(decoder, piece));
    yield found();
  }
  parser.write(decoded(decoder ?? new TextDecoder('utf-8', { fatal: true }), null));
  parser.end();
  yield found();
}

/** All of it. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, events: XmlEvents, form?: XmlForm): Promise<void> {
  const steps = xmlSteps(pieces, events, () => null, form);
  for (let step = await steps.next(); step.done !== true; ) step = await steps.next();
}

class StrictParser {
  readonly #sax = new SaxesParser({ xmlns: false, position: false });
  #depth = 0;
  /** Characters since the last tag. */
  #gathered = 0;

  constructor(events: XmlEvents, damaged: () => UnreadableFile) {
    this.#sax.on('doctype', () => {
      throw hasDocumentType();
    });
    this.#sax.on('error', () => {
      throw damaged();
    });
    this.#sax.on('opentag', (tag: SaxesTagPlain) => {
      this.#gathered = 0;
      this.#depth += 1;
      if (this.#depth > DEEPEST) throw damaged();
      const colon = tag.name.indexOf(':');
      events.open(localName(tag.name), tag.attributes, colon === -1 ? '' : tag.name.slice(0, colon));
    });
    this.#sax.on('closetag', (tag: SaxesTagPlain) => {
      this.#gathered = 0;
      this.#depth -= 1;
      events.close(localName(tag.name));
    });
    this.#sax.on('text', (text) => events.text(text));
    this.#sax.on('cdata', (text) => events.text(text));
  }

  write(text: string): void {
    this.#gathered += text.length;
    this.#sax.write(text);
    if (this.#gathered > LONGEST_CHARACTERS + text.length) throw tooLong();
  }

  end(): void {
    this.#sax.close();
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

function hasDocumentType(): UnreadableFile {
  return new UnreadableFile(
    { line: 1 },
    'xml_entities',
    'the file has a document type (DOCTYPE), which no spreadsheet program and no bank writes',
    'export it again from where it comes from',
  );
}

function tooLong(): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'cell_too_long',
    'the file has a text that is longer than any cell can be',
    'shorten it, or save the file again in the program that it comes from',
  );
}
