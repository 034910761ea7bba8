import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { analyse } from 'chardet';
import type { FileContent } from '../payment-file/file-content.ts';
import { decodedText } from './decoded-text.ts';
import { piecesOf } from './file-bytes.ts';
import type { ReadingProposal } from './sheet.ts';

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const USUAL = 'windows-1252';

/** What a person compares, beside what is proposed. */
const ALTERNATIVES = ['windows-1252', 'windows-1250', 'windows-1251', 'macintosh'];

const SAMPLE_LINES = 100;
const SHOWN_LINES = 3;
const LONGEST_LINE = 2_000;

/** How sure the statistics of letters must be, of 100. */
const LEAST_CONFIDENCE = 30;

/**
 * The encoding of a text that is neither UTF-8 nor UTF-16: windows-1252, unless its reading has what no text has and the statistics
 * of letters name another one whose reading has not. A person confirms it by the lines that are shown. Throws UnreadableFile for UTF-8
 * with a few lines that are not.
 */
export async function proposeEncoding(content: FileContent): Promise<ReadingProposal> {
  const lines = await linesWithOtherBytes(content);
  if (lines.filter((line) => isUtf8(line)).length * 2 > lines.length) await refuseMixed(content);
  const sample = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const ranked = analyse(sample)
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .flatMap(({ name }) => encodingOf(name) ?? []);
  const isPlausible = (encoding: string): boolean => {
    const text = strictly(sample, encoding);
    return text !== null && !IMPLAUSIBLE.test(text);
  };
  const better = isPlausible(USUAL)
    ? undefined
    : ranked.find((encoding) => encoding !== USUAL && isPlausible(encoding));
  const chosen = better ?? USUAL;
  // Of those that read the lines alike, one is enough to decide.
  const seen = new Set([strictly(sample, chosen)]);
  const others = [...new Set([...ranked, ...ALTERNATIVES])].filter((encoding) => {
    const text = strictly(sample, encoding);
    if (text === null || seen.has(text)) return false;
    seen.add(text);
    return true;
  });
  const readings = [chosen, ...others];
  const telling = (line: Buffer): number => new Set(readings.map((encoding) => strictly(line, encoding))).size;
  const shownLines = lines.toSorted((one, other) => telling(other) - telling(one)).slice(0, SHOWN_LINES);
  const shown = (encoding: string) => shownLines.map((line) => [strictly(line, encoding) ?? '']);
  return {
    what: 'encoding',
    chosen,
    because:
      better === undefined
        ? 'the file is neither UTF-8 nor UTF-16, and most of such files are windows-1252'
        : `as windows-1252 it would have signs inside of words, and its letters are as frequent as in texts in ${chosen}`,
    sample: shown(chosen),
    others: others.map((value) => ({ value, sample: shown(value) })),
  };
}

/** Most lines are UTF-8, so that any other reading would damage them: the first line that is not is named. */
async function refuseMixed(content: FileContent): Promise<void> {
  const pieces = decodedText(content, 'utf-8');
  while ((await pieces.next()).done !== true);
}

/** A control character, or a sign inside of a word: "Wroc³aw", "¯abka". */
const IMPLAUSIBLE =
  /[\u0080-\u009f]|\p{L}[\u00a1-\u00a9\u00ab-\u00ac\u00ae-\u00b3\u00b5-\u00b6\u00b8-\u00b9\u00bb-\u00bf\u00d7\u00f7]\p{L}|(?<![\p{L}\p{N}])[\u00a3\u00a5\u00a6\u00a9\u00ac\u00ae-\u00b3\u00b5\u00b9\u00bc\u00be]\p{L}/u;

function encodingOf(name: string): string | null {
  try {
    return new TextDecoder(name, { fatal: true }).encoding;
  } catch {
    return null;
  }
}

function strictly(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return null;
  }
}

/** The first lines that have a byte that is not ASCII. */
async function linesWithOtherBytes(content: FileContent): Promise<Buffer[]> {
  const found: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  const look = (line: Buffer): void => {
    if (line.some((byte) => byte > 0x7f)) found.push(line.subarray(0, LONGEST_LINE));
  };
  for await (const piece of piecesOf(content)) {
    const bytes = Buffer.concat([rest, piece]);
    let from = 0;
    for (let at = 0; at < bytes.byteLength; at++) {
      if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) continue;
      look(bytes.subarray(from, at));
      if (found.length === SAMPLE_LINES) return found;
      from = at + 1;
    }
    rest = bytes.subarray(from, from + LONGEST_LINE);
  }
  look(rest);
  return found;
}
