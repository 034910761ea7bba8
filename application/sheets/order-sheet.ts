import { SHEET_NOTES } from '../../domain/payment-file/sheet-note-codes.ts';
import { type FileContent, firstBytesOf } from '../payment-file/file-content.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { piecesOf } from './file-bytes.ts';
import { ORDER_COLUMNS } from './order-cells.ts';
import { damagedOrder, unclearOrder } from './order-problems.ts';
import { OrderReader } from './order-reader.ts';
import { ChoiceNeeded, namesOf, type Sheet, type SheetLimits, type WantedReading } from './sheet.ts';
import type { SheetNote } from './sheet-notes.ts';
import { knownEncoding, markedEncoding, utf16ByZeros } from './text-encoding.ts';
import { readXml, type XmlForm, xmlSteps } from './xml-reader.ts';

/**
 * Opens one block of payment information of a payment order (pain.001.001.03 or .09) as a sheet: its headers are ours, and its rows have
 * the numbers that transactions have within the order. All of the order is checked first. Throws UnreadableFile, and ChoiceNeeded if the
 * order has several blocks and none was chosen.
 */
export async function openOrder(content: FileContent, wanted: WantedReading, limits: SheetLimits): Promise<Sheet> {
  const form: XmlForm = { encoding: await encodingOf(content), damaged: damagedOrder };
  const checked = new OrderReader(limits, null);
  await readXml(piecesOf(content), checked, form);
  const blocks = [...checked.blocks.keys()];
  const block = chooseBlock(blocks, wanted.sheetName);
  let reader = checked;
  return {
    form: 'pain001',
    reading: {
      encoding: form.encoding ?? 'utf-8',
      hasByteOrderMark: false,
      delimiter: null,
      // The next order has other blocks: one is named where there is a choice.
      sheetName: blocks.length > 1 ? block : null,
    },
    proposals: [],
    async *records() {
      reader = new OrderReader(limits, block);
      const current = reader;
      yield [{ line: 0, cells: ORDER_COLUMNS }];
      for await (const records of xmlSteps(piecesOf(content), current, () => current.take(), form)) {
        if (records.length > 0) yield records;
      }
    },
    notes: () => [...notesOf(reader), ...otherBlocks(blocks, block)],
  };
}

const DECLARATION_BYTES = 1_000;

/** As the mark or the zeros of its bytes say, else as it declares. */
async function encodingOf(content: FileContent): Promise<string> {
  const first = await firstBytesOf(content, DECLARATION_BYTES);
  const declared = /^\s*<\?xml\s[^>]*\bencoding\s*=\s*["']([^"']+)["']/.exec(Buffer.from(first).toString('latin1'));
  return markedEncoding(first) ?? utf16ByZeros(first) ?? knownEncoding(declared?.[1] ?? 'utf-8');
}

function chooseBlock(blocks: readonly string[], name: string | undefined): string {
  const [first, ...more] = blocks;
  if (first === undefined) throw unclearOrder(0, 'has no block of payment information (PmtInf)');
  if (name !== undefined && blocks.includes(name)) return name;
  if (name !== undefined) {
    throw new UnreadableFile(
      { line: 0 },
      'unknown_block',
      'the order has no block of the name that was chosen',
      `choose one of: ${namesOf(blocks)}`,
    );
  }
  // guard: block-not-chosen
  if (more.length > 0) throw new ChoiceNeeded([...blocks], 'block');
  return first;
}

function notesOf({ notCarriedOut }: OrderReader): SheetNote[] {
  return [...notCarriedOut].map(([name, place]) => {
    const code = name === 'Dbtr' ? 'debtor_not_used' : 'not_carried_out';
    const { cause, fix } = SHEET_NOTES[code];
    return { ...place, code, problem: `${cause}: ${name}`, fix, column: null };
  });
}

function otherBlocks(blocks: readonly string[], chosen: string): SheetNote[] {
  if (blocks.length === 1) return [];
  const { cause, fix } = SHEET_NOTES.other_blocks;
  const others = blocks.filter((block) => block !== chosen);
  return [{ code: 'other_blocks', problem: `${cause}: ${namesOf(others)}`, fix, line: 0, column: null, count: 1 }];
}
