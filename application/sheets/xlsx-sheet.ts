import { UnreadableFile } from '../payment-file/file-problem.ts';
import type { FileContent } from '../payment-file/file-content.ts';
import { readSharedStrings } from './shared-strings.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { ChoiceNeeded, namesOf, type Sheet, type SheetLimits, type WantedReading } from './sheet.ts';
import { SheetNotes } from './sheet-notes.ts';
import { readWorkbook, type Worksheet } from './workbook.ts';
import { CellReader } from './worksheet-cell.ts';
import { WorksheetReader } from './worksheet-reader.ts';
import { WorkbookPart } from './workbook-part.ts';
import { xmlSteps } from './xml-reader.ts';
import { ZipArchive } from './zip-archive.ts';

/** Opens one sheet of a workbook. Throws UnreadableFile, and ChoiceNeeded if several have content and none was chosen. */
export async function openXlsx(content: FileContent, wanted: WantedReading, limits: SheetLimits): Promise<Sheet> {
  const archive = await ZipArchive.open(content, limits);
  try {
    const workbook = await readWorkbook(archive);
    const filled: Worksheet[] = [];
    for (const sheet of workbook.sheets) if (await hasContent(archive, sheet)) filled.push(sheet);
    const chosen = chooseSheet(workbook.sheets, filled, wanted.sheetName);
    const strings = await readSharedStrings(archive, workbook.sharedStringsPart, limits);
    let notes = new SheetNotes();
    return {
      form: 'xlsx',
      reading: { encoding: 'utf-8', hasByteOrderMark: false, delimiter: null, sheetName: chosen.name },
      proposals: [],
      async *records(): AsyncGenerator<SheetRecord[], void, undefined> {
        notes = new SheetNotes();
        noteOtherSheets(notes, chosen, filled);
        const reader = new WorksheetReader(new CellReader(workbook, strings, notes), notes, limits);
        const again = await ZipArchive.open(content, limits);
        try {
          const part = new WorkbookPart('worksheet', reader);
          for await (const records of xmlSteps(again.read(chosen.part), part, () => reader.take())) {
            if (records.length > 0) yield records;
          }
        } finally {
          again.close();
        }
      },
      notes: () => notes.list(),
    };
  } finally {
    archive.close();
  }
}

/** Whether a cell has a value or a formula. */
async function hasContent(archive: ZipArchive, sheet: Worksheet): Promise<boolean> {
  let isFilled = false;
  const part = new WorkbookPart('worksheet', {
    open: (name: string) => {
      isFilled ||= name === 'v' || name === 't' || name === 'f';
    },
    close: () => undefined,
    text: () => undefined,
  });
  for await (const found of xmlSteps(archive.read(sheet.part), part, () => isFilled)) if (found) return true;
  return false;
}

function chooseSheet(all: readonly Worksheet[], filled: readonly Worksheet[], name: string | undefined): Worksheet {
  if (name !== undefined) {
    const named = all.find((sheet) => sheet.name === name);
    if (named === undefined) throw unknownSheet(all);
    return named;
  }
  const visible = filled.filter(({ isHidden }) => !isHidden);
  const [first] = visible;
  // guard: sheet-not-chosen
  if (first !== undefined && visible.length === 1) return first;
  if (filled.length > 0) {
    throw new ChoiceNeeded(
      (first === undefined ? filled : visible).map((sheet) => sheet.name),
      'sheet',
    );
  }
  throw new UnreadableFile(
    { line: 0 },
    'empty_file',
    'the workbook has no sheet with content',
    'export it again, with the payments in it',
  );
}

function noteOtherSheets(notes: SheetNotes, chosen: Worksheet, filled: readonly Worksheet[]): void {
  // guard: chosen-sheet-hidden
  if (chosen.isHidden) notes.add('chosen_sheet_hidden', 0, null, `"${chosen.name}"`);
  for (const sheet of filled) {
    if (sheet !== chosen) notes.add(sheet.isHidden ? 'hidden_sheets' : 'other_sheets', 0, null, `"${sheet.name}"`);
  }
}

function unknownSheet(all: readonly Worksheet[]): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'unknown_sheet',
    'the workbook has no sheet of the name that was chosen',
    `choose one of: ${namesOf(all.map(({ name }) => name))}`,
  );
}
