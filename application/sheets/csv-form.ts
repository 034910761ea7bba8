import { UnreadableFile } from '../payment-file/file-problem.ts';
import { type CsvForm, CsvParser } from './csv-parser.ts';
import type { ReadingProposal, SheetLimits } from './sheet.ts';

export interface ChosenForm extends CsvForm {
  /** Characters before the first line that is read: a line for Excel that names the delimiter. */
  skipped: number;
  /** Null: the delimiter was chosen, is named by the file, or is the only one possible. */
  proposal: ReadingProposal | null;
}

const CANDIDATES = [',', ';', '\t', '|'];
const SHOWN_RECORDS = 3;
/** Of the records, so many of 100 have as many cells as most. */
const LEAST_AGREEMENT = 60;

/**
 * Delimiter and line ends, by the first records: the delimiter as chosen or as a line "sep=;" names it; else the one by which most of
 * them have equally many cells. What else is possible is shown.
 */
export function chooseForm(
  sample: string,
  isWhole: boolean,
  wanted: string | undefined,
  limits: SheetLimits,
): ChosenForm {
  const named = /^sep=([^\r\n"])(?:\r\n|\n|\r(?!\n))/i.exec(sample);
  const skipped = named?.[0].length ?? 0;
  const body = sample.slice(skipped);
  const base = { lineEnd: lineEndOf(body), firstLine: named === null ? 1 : 2, skipped };
  if (wanted !== undefined) return { ...base, delimiter: usable(wanted), proposal: null };
  if (named?.[1] !== undefined) return { ...base, delimiter: named[1], proposal: null };
  const readings = CANDIDATES.map((delimiter) => reading(body, isWhole, { ...base, delimiter }, limits))
    .filter((found) => found !== null)
    .sort((one, other) => other.agreement - one.agreement || other.cells - one.cells);
  const [best, ...others] = readings;
  if (best === undefined) return { ...base, delimiter: mostInFirstLine(body), proposal: null };
  const proposal: ReadingProposal | null =
    others.length === 0
      ? null
      : {
          what: 'delimiter',
          chosen: best.delimiter,
          because: `most lines have ${best.cells} cells by it`,
          sample: best.sample,
          others: others.map(({ delimiter, sample: cells }) => ({ value: delimiter, sample: cells })),
        };
  return { ...base, delimiter: best.delimiter, proposal };
}

interface DelimiterReading {
  delimiter: string;
  /** How many cells most records have. */
  cells: number;
  /** How many of 100 have as many. */
  agreement: number;
  sample: string[][];
}

/** Null: the text is no table by this delimiter. */
function reading(text: string, isWhole: boolean, form: CsvForm, limits: SheetLimits): DelimiterReading | null {
  if (!text.includes(form.delimiter)) return null;
  const records = recordsOf(text, isWhole, form, limits);
  if (records === null) return null;
  const counts = new Map<number, number>();
  for (const cells of records) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const most = [...counts].sort(([, one], [, other]) => other - one).find(([cells]) => cells > 1);
  if (most === undefined) return null;
  const [cells, count] = most;
  const agreement = Math.round((100 * count) / records.length);
  if (agreement < LEAST_AGREEMENT) return null;
  return { delimiter: form.delimiter, cells, agreement, sample: records.slice(0, SHOWN_RECORDS) };
}

function recordsOf(text: string, isWhole: boolean, form: CsvForm, limits: SheetLimits): string[][] | null {
  const parser = new CsvParser(form, limits);
  try {
    const records = [...parser.push(text), ...(isWhole ? parser.end() : [])].map(({ cells }) => cells);
    return records.length === 0 ? null : records;
  } catch (error) {
    if (error instanceof UnreadableFile) return null;
    throw error;
  }
}

/** By the first line end outside of quotes. */
function lineEndOf(text: string): CsvForm['lineEnd'] {
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    if (character === '\n') return 'lf';
    if (character === '\r') return text[at + 1] === '\n' ? 'lf' : 'cr';
  }
  return 'lf';
}

/** For files that cannot be read by any delimiter: what is wrong is found when they are read. */
function mostInFirstLine(text: string): string {
  const line = /[^\r\n]*/.exec(text.trimStart())?.[0] ?? '';
  const counts = CANDIDATES.map((delimiter) => line.split(delimiter).length);
  return CANDIDATES[counts.indexOf(Math.max(...counts))] ?? ',';
}

function usable(delimiter: string): string {
  if (delimiter.length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  throw new UnreadableFile(
    { line: 0 },
    'unusable_delimiter',
    'the delimiter that was chosen is not one character, or is a quote or a line end',
    'choose a comma, a semicolon, a tab or a bar',
  );
}
