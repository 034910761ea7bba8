import { writeFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { SheetReadingProposal, WantedReading } from '../../../api/payment-file/reading.ts';
import { type AmountForm, type DateForm, type Profile, withColumns } from '../../../domain/import-profiles/profile.ts';
import { isPaymentColumn, type PaymentColumn } from '../../../domain/payment-file/csv-columns.ts';
import type { CommandIo } from '../command-io.ts';
import { writeJson, writeLine } from '../command-io.ts';
import { connect } from '../connection.ts';
import { WrongInput } from '../exit-code.ts';
import { examples } from '../help.ts';
import { openPaymentFile, readProfile } from './input-files.ts';
import { renderReading } from './render-reading.ts';

/** What a person decides of how a sheet is read. */
export interface Decisions {
  /** The same text for every row. */
  set: Decision[];
  /** The header that fills a column, or `none`. */
  from: Decision[];
  amounts?: AmountForm;
  dates?: DateForm;
}

interface PrepareOptions extends Decisions {
  account?: string;
  profile?: string;
  output?: string;
  encoding?: string;
  delimiter?: string;
  sheet?: string;
  headerLine?: number;
  forBook?: boolean;
  json?: boolean;
}

/** What a person decides of one of our columns. */
interface Decision {
  column: PaymentColumn;
  text: string;
}

export function addPrepareCommand(program: Command, io: CommandIo): void {
  program
    .command('prepare')
    .description('show how a sheet would be read, and write what was decided to a profile; nothing is submitted')
    .argument('<file>', 'a CSV or XLSX file with any headers, or a payment order (pain.001)')
    .option('--account <name>', "the provider's account to pay from, whose approved runs may have been read alike")
    .option('--profile <file>', 'what is decided already; changed by the other options')
    .option('-o, --output <file>', 'where the profile is written (default: beside the file, as NAME.profile.json)')
    .option('--set <column=text>', 'the same text for every row; again for more columns', decisions, [])
    .option('--from <column=header>', 'the header that fills a column, or none; again for more columns', decisions, [])
    .addOption(
      new Option('--amounts <example>', 'how 1234.56 is written: 1234.56, 1234,56, 1,234.56 or 1.234,56').argParser(
        amountForm,
      ),
    )
    .addOption(
      new Option('--dates <example>', 'how 31 December 2026 is written: 2026-12-31, 31.12.2026 or 12/31/26').argParser(
        dateForm,
      ),
    )
    .option('--encoding <name>', 'of the file, such as windows-1252')
    .option('--delimiter <character>', 'between the cells of the file')
    .option('--sheet <name>', 'of a workbook with several sheets, or a payment order with several blocks')
    .option('--header-line <number>', 'the line of the headers, from 1; 0: there are none', lineNumber)
    .option('--for-book', 'its rows are accounts for the book of beneficiaries, and no payments')
    .option('--json', 'one JSON document on stdout')
    .addHelpText(
      'after',
      examples(
        'payrun prepare suppliers.xlsx',
        'payrun prepare suppliers.xlsx --set amount_side=buy --from "payment_reference=Rechnung"',
      ),
    )
    .action(async (file: string, options: PrepareOptions) => {
      const output = options.output ?? `${basename(file, extname(file))}.profile.json`;
      const proposal = await decide(file, options, io);
      await writeFile(resolve(io.cwd, output), `${JSON.stringify(proposal.profile, null, 2)}\n`);
      if (options.json === true) await writeJson(io, proposal);
      else
        await writeLine(
          io.stdout,
          renderReading(proposal, {
            file,
            output,
            command: options.forBook === true ? 'beneficiaries import' : 'submit',
          }),
        );
    });
}

/** What the server proposes, then again with what was decided: other columns may be written in other forms. */
async function decide(file: string, options: PrepareOptions, io: CommandIo): Promise<SheetReadingProposal> {
  const sheet = await openPaymentFile(io.cwd, file);
  const given = options.profile === undefined ? {} : { profile: await readProfile(io.cwd, options.profile) };
  const reading = readingOf(options);
  const { account = null } = options;
  const use = options.forBook === true ? 'beneficiaries' : 'payments';
  const client = await connect(io);
  const first = await client.proposeReading({ ...sheet, account, ...given, reading, use });
  const proposal = { ...first, profile: { ...first.profile, name: named(first, file) } };
  const profile = decided(proposal, options);
  return profile === proposal.profile ? proposal : client.proposeReading({ ...sheet, account, profile, reading, use });
}

function readingOf({ encoding, delimiter, sheet, headerLine }: PrepareOptions): WantedReading {
  return {
    ...(encoding === undefined ? {} : { encoding }),
    ...(delimiter === undefined ? {} : { delimiter: delimiter === '\\t' ? '\t' : delimiter }),
    ...(sheet === undefined ? {} : { sheetName: sheet }),
    ...(headerLine === undefined ? {} : { headerLine }),
  };
}

/** The profile as it was proposed, and changed by what a person decides. */
export function decided(proposal: SheetReadingProposal, { set, from, amounts, dates }: Decisions): Profile {
  let { profile } = proposal;
  for (const { column, text } of set) {
    profile = withColumns(profile, { [column]: { ...profile.columns[column], constant: text } });
  }
  for (const { column, text } of from) {
    // What was proposed for this header knows how its cells are written.
    const proposed = proposal.columns
      .find((each) => each.column === column)
      ?.candidates.find(({ source }) => source.from.length === 1 && source.from[0] === text);
    const source = text === 'none' ? null : (proposed?.source ?? { from: [headerOf(proposal, text)] });
    profile = withColumns(profile, { [column]: source });
    // Cells of another header may be written in another form: it is proposed again.
    if (column === 'amount') profile = { ...profile, amountForm: null };
    if (column === 'pay_on') profile = { ...profile, dateForm: null };
  }
  if (amounts !== undefined) profile = { ...profile, amountForm: amounts };
  return dates === undefined ? profile : { ...profile, dateForm: dates };
}

function headerOf({ headers }: SheetReadingProposal, text: string): string {
  if (headers.includes(text)) return text;
  throw new WrongInput(`the file has no header "${text}": it has ${headers.map((name) => `"${name}"`).join(', ')}`);
}

function named({ from, profile }: SheetReadingProposal, file: string): string {
  return from === 'proposed' ? basename(file, extname(file)).slice(0, 80) : profile.name;
}

function decisions(given: string, before: Decision[]): Decision[] {
  const at = given.indexOf('=');
  const column = given.slice(0, Math.max(0, at)).trim();
  const text = given.slice(at + 1).trim();
  if (at === -1 || text === '') throw new InvalidArgumentError('Write it as column=text.');
  if (!isPaymentColumn(column)) throw new InvalidArgumentError(`There is no column "${column}".`);
  return [...before, { column, text }];
}

export function amountForm(example: string): AmountForm {
  const [, groupSeparator = '', decimalSign = ''] = /^1(|[., '])234([.,])56$/.exec(example) ?? [];
  if (decimalSign === '' || decimalSign === groupSeparator) {
    throw new InvalidArgumentError('Write 1234.56 as the sheet does, such as 1.234,56.');
  }
  return { groupSeparator, decimalSign } as AmountForm;
}

const ORDERS: readonly DateForm['order'][] = ['ymd', 'dmy', 'mdy'];

export function dateForm(example: string): DateForm {
  const parts = example.split(/[-./ ]/);
  const letters = parts.map((part) =>
    part === '31' ? 'd' : part === '12' ? 'm' : /^(?:20)?26$/.test(part) ? 'y' : '?',
  );
  const order = ORDERS.find((each) => each === letters.join(''));
  if (order === undefined) {
    throw new InvalidArgumentError('Write 31 December 2026 as the sheet does, such as 31.12.2026.');
  }
  return { order, yearDigits: parts.includes('2026') ? 4 : 2 };
}

function lineNumber(text: string): number {
  if (!/^\d{1,4}$/.test(text)) throw new InvalidArgumentError('Give the number of a line.');
  return Number(text);
}
