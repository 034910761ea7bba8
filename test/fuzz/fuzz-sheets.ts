import { fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '../provider/seeded-random.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { findTable, firstRecords } from '../../application/sheets/find-table.ts';
import { openSheet } from '../../application/sheets/open-sheet.ts';
import { SHEET_LIMITS, type WantedReading } from '../../application/sheets/sheet.ts';
import { tableRows } from '../../application/sheets/table-rows.ts';
import { zipOf } from '../application/sheets/make-zip.ts';
import { workbookParts } from '../application/sheets/make-workbook.ts';
import { mutated } from './mutate-bytes.ts';

/** An input that takes longer hangs. */
const LONGEST_MS = 20_000;
/** More than this no input may take, with what the program itself takes. */
const MOST_MEMORY_MIB = 400;
const INPUTS_PER_MESSAGE = 100;

const { values: given } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    child: { type: 'boolean' },
  },
});

/** Files of each form, and the parts of a workbook, which are changed before they are packed. */
const folder = path.join(import.meta.dirname, '../application/sheets/files');
const names = readdirSync(folder)
  .filter((name) => !name.endsWith('.py'))
  .sort();
const files = names.map((name) => readFileSync(path.join(folder, name)));
/** Payment orders, and rows as JSON. */
const orders = ['american.xml', 'nordic.xml', 'swiss.xml'].map((name) =>
  readFileSync(path.join(folder, '../orders', name)),
);
orders.push(Buffer.from('[{"row_ref": "A", "amount": "10.00"}, {"row_ref": "B", "echo": null}]'));
const texts = files.filter((_, index) => names[index]?.endsWith('.csv'));
const parts = workbookParts({
  sheets: {
    One: `<sheetPr filterMode="1"/><cols><col min="2" max="3" hidden="1"/></cols><sheetData>${[1, 2, 3]
      .map(
        (row) =>
          `<row r="${row}" hidden="${row % 2}"><c r="A${row}" t="s"><v>0</v></c><c r="B${row}" s="1"><f>A1</f><v>1.5</v></c><c r="C${row}" s="2"><v>46353</v></c><c r="D${row}" t="inlineStr"><is><r><t>x</t></r></is></c></row>`,
      )
      .join(
        '',
      )}</sheetData><autoFilter ref="A1:D3"><filterColumn/></autoFilter><mergeCells><mergeCell ref="A1:B2"/></mergeCells>`,
    Two: '',
  },
  strings: '<si><t>Müller</t><rPh><t>m</t></rPh></si>',
  styles:
    '<numFmts><numFmt numFmtId="164" formatCode="#,##0.00;[Red]-#,##0.00"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="14"/></cellXfs>',
});
const contents = parts.map(({ content }) => Buffer.from(content));

/** The same for the same seed. */
function inputOf(seed: number): { bytes: Buffer; wanted: WantedReading } {
  const random = seededRandom(seed);
  const one = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  const wanted: WantedReading = {};
  if (random() < 0.2)
    wanted.encoding = one(['utf-8', 'windows-1252', 'utf-16le', 'utf-16be', 'shift_jis', 'none']) ?? '';
  if (random() < 0.1) wanted.delimiter = one([',', ';', '"', 'x']) ?? '';
  if (random() < 0.1) wanted.sheetName = one(['One', 'Two', 'Zahlungen', 'PMTINF-01']) ?? '';
  const kind = random();
  if (kind < 0.1) return { bytes: mutated(one(orders) ?? Buffer.alloc(0), orders, random), wanted };
  if (kind < 0.6) return { bytes: mutated(one(kind < 0.4 ? texts : files) ?? Buffer.alloc(0), files, random), wanted };
  const changed = Math.floor(random() * parts.length);
  const packed = parts.map((part, index) =>
    index === changed ? { ...part, content: mutated(contents[index]!, contents, random) } : part,
  );
  return { bytes: zipOf(packed), wanted };
}

/** Reads all of an input; whether it could be read. Any error but a refusal is a fault. */
async function isRead({ bytes, wanted }: ReturnType<typeof inputOf>): Promise<boolean> {
  try {
    const sheet = await openSheet(bytes, wanted, SHEET_LIMITS);
    const table = findTable(await firstRecords(sheet), sheet.form);
    for await (const records of sheet.records()) records.at(0);
    sheet.notes();
    if (table !== null) for await (const rows of tableRows(sheet.records(), table, sheet)) rows.at(0);
    return true;
  } catch (error) {
    if (error instanceof UnreadableFile) return false;
    throw error;
  }
}

/** Tells its parent which inputs it begins, so that the one is known that crashes or hangs. */
async function readInputs(from: number, count: number): Promise<void> {
  let read = 0;
  for (let seed = from; seed < from + count; seed++) {
    if ((seed - from) % INPUTS_PER_MESSAGE === 0) process.send?.({ seed });
    try {
      if (await isRead(inputOf(seed))) read += 1;
    } catch (error) {
      console.error(`seed ${seed}:`, error);
      process.exitCode = 1;
    }
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`${count} inputs from seed ${from}: ${read} read, ${count - read} refused; ${memory} MiB at most`);
  if (memory > MOST_MEMORY_MIB) process.exitCode = 1;
  process.disconnect();
}

/** Arguments: `--inputs 100000 --seed 1`; one input is tried again with its seed and `--inputs 1`. */
async function fuzzSheets(): Promise<number> {
  const child = fork(import.meta.filename, [...process.argv.slice(2), '--child']);
  let seed = Number(given.seed);
  let timer = setTimeout(() => undefined, 0);
  child.on('message', (message: { seed: number }) => {
    seed = message.seed;
    clearTimeout(timer);
    timer = setTimeout(() => {
      console.error(`one of the ${INPUTS_PER_MESSAGE} inputs from seed ${seed} hangs`);
      child.kill('SIGKILL');
    }, LONGEST_MS);
  });
  return new Promise((resolve) => {
    child.on('exit', (code) => {
      clearTimeout(timer);
      if (code === null) console.error(`it ended within ${INPUTS_PER_MESSAGE} inputs from seed ${seed}`);
      resolve(code ?? 1);
    });
  });
}

if (given.child === true) await readInputs(Number(given.seed), Number(given.inputs));
else process.exitCode = await fuzzSheets();
