import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import { chooseForm } from './csv-form.ts';
import { CsvParser } from './csv-parser.ts';
import { decodedText } from './decoded-text.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { Sheet, SheetLimits, WantedReading } from './sheet.ts';
import { chooseEncoding } from './text-encoding.ts';

/** Characters by which the form is proposed. */
const SAMPLE_CHARACTERS = 64 * 1024;

/** Opens a text as CSV. Throws UnreadableFile if it is none. */
export async function openCsv(content: FileContent, wanted: WantedReading, limits: SheetLimits): Promise<Sheet> {
  const { encoding, hasByteOrderMark, proposal } = await chooseEncoding(content, wanted.encoding);
  const sample = await firstText(content, encoding);
  const form = chooseForm(sample.text, sample.isWhole, wanted.delimiter, limits);
  return {
    form: 'csv',
    reading: { encoding, hasByteOrderMark, delimiter: form.delimiter, sheetName: null },
    proposals: [proposal, form.proposal].filter((proposed) => proposed !== null),
    async *records(): AsyncGenerator<SheetRecord[], void, undefined> {
      const parser = new CsvParser(form, limits);
      let skipped = form.skipped;
      for await (const piece of decodedText(content, encoding)) {
        const text = skipped === 0 ? piece : piece.slice(skipped);
        skipped -= piece.length - text.length;
        const records = parser.push(text);
        if (records.length > 0) yield records;
      }
      const last = parser.end();
      if (last.length > 0) yield last;
    },
    notes: () => [],
  };
}

async function firstText(content: FileContent, encoding: string): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  for await (const piece of decodedText(content, encoding)) {
    text += piece;
    if (text.length > SAMPLE_CHARACTERS) return { text: text.slice(0, SAMPLE_CHARACTERS), isWhole: false };
  }
  if (text.trim() === '') {
    throw new UnreadableFile(
      { line: 1 },
      'empty_file',
      'the file is empty',
      'export it again, with the payments in it',
    );
  }
  return { text, isWhole: true };
}
