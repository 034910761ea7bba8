import { fork } from 'node:child_process';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { findTable, firstRecords } from '../../application/sheets/find-table.ts';
import { openSheet } from '../../application/sheets/open-sheet.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { tableRows } from '../../application/sheets/table-rows.ts';
import { explainReading } from '../../domain/import-profiles/explain-reading.ts';
import { decidesPayees } from '../../domain/import-profiles/own-format.ts';
import { sourceInWords } from '../../domain/import-profiles/profile-in-words.ts';
import { columnsOf, type Profile, profileSchema } from '../../domain/import-profiles/profile.ts';
import { proposeProfile } from '../../domain/import-profiles/propose-profile.ts';
import { preparedReader, readerFor, undecidedForms } from '../../domain/import-profiles/read-record.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { type ProfileInput, profileInput } from './profile-inputs.ts';
import { SHEET_READERS, type SheetInput, sheetInput } from './sheet-inputs.ts';

const READERS = [...SHEET_READERS, 'profile'] as const;
type Reader = (typeof READERS)[number];

/** An input that takes longer hangs, also on a busy machine: it takes milliseconds. */
const LONGEST_MS = 120_000;
/** More than this no input may take, with what the program itself takes. */
const MOST_MEMORY_MIB = 400;
const INPUTS_PER_MESSAGE = 100;

const { values: given } = parseArgs({
  options: {
    inputs: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    reader: { type: 'string', default: 'all' },
    child: { type: 'boolean' },
  },
});

/** Reads all of an input as its page and its run would. Throws UnreadableFile; any other error is a fault. */
async function readSheet({ bytes, wanted }: SheetInput): Promise<void> {
  const sheet = await openSheet(bytes, wanted, SHEET_LIMITS);
  const table = findTable(await firstRecords(sheet), sheet.form);
  for await (const records of sheet.records()) records.at(0);
  sheet.notes();
  if (table === null) return;
  const records: SheetRecord[] = [];
  for await (const rows of tableRows(sheet.records(), table, sheet)) records.push(...rows.slice(0, 50));
  const { profile } = proposeProfile({ headers: table.header, records, constants: {} });
  readBy(profile, table.header, records);
}

/** Also where it is one of other headers, or fills not every column: its page shows what it reads then. */
function readProfile({ json, headers, records }: ProfileInput): void {
  const profile = parsedProfile(json);
  decidesPayees(profile);
  columnsOf(profile).map(({ source }) => sourceInWords(source));
  readerFor(profile, headers);
  readBy(profile, headers, records);
}

class Refused extends Error {}

function parsedProfile(json: string): Profile {
  let read: unknown;
  try {
    read = JSON.parse(json);
  } catch {
    throw new Refused();
  }
  const parsed = profileSchema.safeParse(read);
  if (!parsed.success) throw new Refused();
  return parsed.data;
}

/** What is read from texts alone, as of exceptions.csv, is what was read, or is refused. */
function readBy(profile: Profile, headers: readonly string[], records: readonly SheetRecord[]): void {
  explainReading(profile, headers, records);
  const reader = preparedReader(profile, headers);
  // Without its forms a profile is shown, and reads nothing that is paid.
  if (undecidedForms(profile).length > 0) return;
  for (const record of records) {
    const read = reader.read(record);
    if (read === null || !('cells' in read)) continue;
    const again = reader.read({ line: record.line, cells: reader.plain(record) });
    if (again !== null && 'cells' in again && !isDeepStrictEqual(read, again)) {
      throw new Error(`it reads otherwise as texts: ${JSON.stringify([record, read, again])}`);
    }
  }
}

/** Whether it could be read. */
async function isRead(reader: Reader, seed: number): Promise<boolean> {
  try {
    if (reader === 'profile') readProfile(profileInput(seed));
    else await readSheet(sheetInput(reader, seed));
    return true;
  } catch (error) {
    if (error instanceof UnreadableFile || error instanceof Refused) return false;
    throw error;
  }
}

const readers = READERS.filter((reader) => given.reader === 'all' || given.reader === reader);

/** Tells its parent which inputs it begins, so that the one is known that crashes or hangs. */
async function readInputs(from: number, count: number): Promise<void> {
  const counts = new Map(readers.map((reader) => [reader, { read: 0, refused: 0 }]));
  for (let seed = from; seed < from + count; seed++) {
    if ((seed - from) % INPUTS_PER_MESSAGE === 0) process.send?.({ seed });
    try {
      const reader = readers[seed % readers.length];
      if (reader === undefined) throw new Error(`there is no reader "${given.reader}"`);
      counts.get(reader)![(await isRead(reader, seed)) ? 'read' : 'refused'] += 1;
    } catch (error) {
      console.error(`seed ${seed}:`, error);
      process.exitCode = 1;
    }
  }
  const memory = Math.round(process.resourceUsage().maxRSS / 1024);
  const each = [...counts].map(([reader, { read, refused }]) => `${reader} ${read} read, ${refused} refused`);
  console.log(`${count} inputs from seed ${from}: ${each.join('; ')}; ${memory} MiB at most`);
  if (memory > MOST_MEMORY_MIB) process.exitCode = 1;
  process.disconnect();
}

/** Arguments: `--inputs 100000 --seed 1 --reader csv`; one input is tried again with its seed, its reader and `--inputs 1`. */
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
