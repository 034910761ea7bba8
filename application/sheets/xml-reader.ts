import { TextDecoder } from 'node:util';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { markedEncoding } from './text-encoding.ts';
import { damagedWorkbook } from './zip-archive.ts';

/** What is found in an XML document, in its order. */
export interface XmlEvents {
  /** Names are without their prefixes. */
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  /** All of the text between two tags. */
  text(text: string): void;
}

/** Deeper than any part of a workbook. */
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
): AsyncGenerator<Found, void, undefined> {
  const parser = new StrictParser(events);
  let decoder: TextDecoder | null = null;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(markedEncoding(piece) ?? 'utf-8', { fatal: true });
    parser.write(decodedXml(decoder, piece));
    yield found();
  }
  parser.write(decodedXml(decoder ?? new TextDecoder('utf-8', { fatal: true }), null));
  parser.end();
  yield found();
}

/** All of it. */
export async function readXml(pieces: AsyncIterable<Uint8Array>, events: XmlEvents): Promise<void> {
  const steps = xmlSteps(pieces, events, () => null);
  for (let step = await steps.next(); step.done !== true; ) step = await steps.next();
}

function decodedXml(decoder: TextDecoder, piece: Uint8Array | null): string {
  try {
    return piece === null ? decoder.decode() : decoder.decode(piece, { stream: true });
  } catch {
    throw damagedWorkbook();
  }
}

class StrictParser {
  readonly #sax = new SaxesParser({ xmlns: false, position: false });
  #depth = 0;
  /** Characters since the last tag. */
  #gathered = 0;

  constructor(events: XmlEvents) {
    this.#sax.on('doctype', () => {
      throw hasDocumentType();
    });
    this.#sax.on('error', () => {
      throw damagedWorkbook();
    });
    this.#sax.on('opentag', (tag: SaxesTagPlain) => {
      this.#gathered = 0;
      this.#depth += 1;
      if (this.#depth > DEEPEST) throw damagedWorkbook();
      events.open(localName(tag.name), tag.attributes);
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
    'the workbook has a text that is longer than any cell can be',
    'shorten it, or save the workbook again in a spreadsheet program',
  );
}
