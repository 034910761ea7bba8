import { readFileSync } from 'node:fs';
import { openSheet } from '../../../application/sheets/open-sheet.ts';
import type { SheetRecord } from '../../../domain/import-profiles/sheet-record.ts';

/** The filled cells of each row by our columns, with its number, and the notes by their codes. */
export async function readOrder(content: Uint8Array, sheetName?: string) {
  const sheet = await openSheet(content, sheetName === undefined ? {} : { sheetName });
  const records: SheetRecord[] = [];
  for await (const batch of sheet.records()) records.push(...batch);
  const names = records[0]?.cells ?? [];
  const cellsOf = (cells: string[]) =>
    Object.fromEntries(cells.flatMap((cell, index) => (cell === '' ? [] : [[names[index] ?? '', cell]])));
  return {
    rows: records.slice(1).map(({ line, cells }) => ({ line, ...cellsOf(cells) })),
    notes: sheet.notes().map(({ code, problem }) => `${code} ${problem.replace(/^.*?: /, '')}`),
    reading: sheet.reading,
  };
}

export const exampleOrder = (name: string) => readFileSync(new URL(`orders/${name}`, import.meta.url));
