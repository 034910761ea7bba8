import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { decodedText } from './decoded-text.ts';
import { JsonRows } from './json-rows.ts';
import type { Sheet, SheetLimits } from './sheet.ts';

/** Opens a list of objects as a sheet, whose headers are all names of their values. A row has the number of its object. Throws UnreadableFile. */
export async function openJson(content: FileContent, limits: SheetLimits): Promise<Sheet> {
  const names = new Set<string>();
  let count = 0;
  for await (const rows of rowsOf(content)) {
    count += rows.length;
    for (const row of rows) for (const name of row.keys()) names.add(name);
    if (names.size > limits.columns) throw tooMany('too_many_columns', count, `more than ${limits.columns} names`);
    if (count > limits.rows) throw tooMany('too_many_rows', count, `more than ${limits.rows} objects`);
  }
  const header = [...names];
  return {
    form: 'json',
    reading: { encoding: 'utf-8', hasByteOrderMark: false, delimiter: null, sheetName: null },
    proposals: [],
    async *records(): AsyncGenerator<SheetRecord[], void, undefined> {
      if (header.length > 0) yield [{ line: 0, cells: header }];
      let line = 0;
      for await (const rows of rowsOf(content)) {
        yield rows.map((row) => {
          line += 1;
          return { line, cells: header.map((name) => row.get(name) ?? '') };
        });
      }
    },
    notes: () => [],
  };
}

async function* rowsOf(content: FileContent): AsyncGenerator<Map<string, string>[], void, undefined> {
  const reader = new JsonRows();
  for await (const text of decodedText(content, 'utf-8')) {
    const rows = reader.push(text);
    if (rows.length > 0) yield rows;
  }
  reader.end();
}

function tooMany(code: 'too_many_columns' | 'too_many_rows', line: number, what: string): UnreadableFile {
  return new UnreadableFile({ line }, code, `the list has ${what}`, 'split it, and submit its parts one by one');
}
