import { statSync } from 'node:fs';
import path from 'node:path';
import { assert } from 'vitest';
import type { FileContent } from '../../../application/payment-file/file-content.ts';
import { UnreadableFile } from '../../../application/payment-file/file-problem.ts';
import { openSheet } from '../../../application/sheets/open-sheet.ts';
import type { SheetRecord } from '../../../domain/import-profiles/sheet-record.ts';
import { type Sheet, SHEET_LIMITS, type SheetLimits, type WantedReading } from '../../../application/sheets/sheet.ts';

/** A file beside the tests, on disk. */
export function fileOf(name: string): FileContent {
  const file = path.join(import.meta.dirname, 'files', name);
  return { path: file, sizeBytes: statSync(file).size };
}

export async function allOf(sheet: Sheet): Promise<SheetRecord[]> {
  const all: SheetRecord[] = [];
  for await (const batch of sheet.records()) all.push(...batch);
  return all;
}

/** A text is read as UTF-8. */
export async function read(
  content: FileContent | string,
  wanted: WantedReading = {},
  limits: Partial<SheetLimits> = {},
): Promise<{ sheet: Sheet; records: SheetRecord[]; cells: string[][] }> {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const sheet = await openSheet(bytes, wanted, { ...SHEET_LIMITS, ...limits });
  const records = await allOf(sheet);
  return { sheet, records, cells: records.map(({ cells }) => cells) };
}

/** The problem for which the file is refused, wherever it is found. */
export async function problemOf(
  content: FileContent | string,
  wanted: WantedReading = {},
  limits: Partial<SheetLimits> = {},
): Promise<UnreadableFile['fileProblem']> {
  try {
    await read(content, wanted, limits);
  } catch (error) {
    if (error instanceof UnreadableFile) return error.fileProblem;
    throw error;
  }
  assert.fail('the file was read');
}
