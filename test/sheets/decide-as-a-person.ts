import type { SheetReadingProposal } from '../../api/payment-file/reading.ts';
import { UnreadableFile } from '../../application/payment-file/file-problem.ts';
import { proposeReading } from '../../application/payment-file/propose-reading.ts';
import { SHEET_LIMITS } from '../../application/sheets/sheet.ts';
import { amountForm, dateForm, decided, type Decisions } from '../../client/cli/runs/prepare-command.ts';
import type { Profile } from '../../domain/import-profiles/profile.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { MadeSheet } from './run-sheets.ts';

export interface Decided {
  /** Null: it was refused. */
  profile: Profile | null;
  /** Commands that the person typed. */
  steps: number;
  /** What the person said in them beside the constants that no sheet has, as options of `payrun prepare`. */
  decisions: string[];
  /** Codes. */
  refusals: string[];
}

/** What no sheet says that was not made for payrun, the same every month. */
const OF_THE_COMPANY: Partial<Record<PaymentColumn, string>> = {
  amount_side: 'buy',
  sell_currency: 'USD',
  purpose_of_transfer: 'SUPP',
  funding_source: 'COMPANY_BANK_ACCOUNT',
  funding_method: 'PAYNOW',
  beneficiary_entity_type: 'company',
  payment_reference: 'Invoice',
  bank_name: 'Bank',
};

type Wanted = Parameters<typeof proposeReading>[0]['wanted'];

/** Prepares the sheet until nothing is open, each time with everything that the answer before shows to be open or wrong. */
export async function decideAsAPerson(file: Buffer, sheet: MadeSheet): Promise<Decided> {
  const made: Decided = { profile: null, steps: 0, decisions: [], refusals: [] };
  let wanted: Wanted = {};
  let profile: Profile | null = null;
  while (made.steps < MOST_STEPS) {
    made.steps += 1;
    const answer = await proposed(file, profile, wanted);
    if (typeof answer === 'string') made.refusals.push(answer);
    const reading = readingFor(answer, sheet, wanted);
    if (reading !== null) {
      wanted = { ...wanted, ...reading };
      made.decisions.push(JSON.stringify(reading));
      continue;
    }
    if (typeof answer === 'string') return made;
    const options = optionsFor(answer, sheet);
    if (options.said.length === 0) return { ...made, profile: answer.profile };
    made.decisions.push(...options.said.filter((text) => text !== OF_ALL_SHEETS));
    profile = decided(answer, options);
  }
  return made;
}

/** More are not allowed anyhow. */
const MOST_STEPS = 8;

/** How the file itself is read, where that is open: a person sees it at once in the lines that are shown. */
function readingFor(
  answer: SheetReadingProposal | string,
  { encoding, reading }: MadeSheet,
  wanted: Wanted,
): Wanted | null {
  if (typeof answer === 'string') {
    return reading.sheetName === undefined || wanted.sheetName !== undefined ? null : reading;
  }
  const isOpen = answer.choices.some(({ what }) => what === 'encoding') && wanted.encoding === undefined;
  return isOpen && encoding !== null ? { encoding } : null;
}

const OF_ALL_SHEETS = 'the same for all sheets of the company';

async function proposed(file: Buffer, profile: Profile | null, wanted: Wanted): Promise<SheetReadingProposal | string> {
  try {
    return (await proposeReading({ file, profile, known: [], wanted }, SHEET_LIMITS)).proposal;
  } catch (error) {
    if (error instanceof UnreadableFile) return error.fileProblem.code;
    throw error;
  }
}

function optionsFor(answer: SheetReadingProposal, sheet: MadeSheet): Decisions & { said: string[] } {
  const { profile, columns, amountForms, dateForms } = answer;
  const said: string[] = [];
  const options: Decisions & { said: string[] } = { set: [], from: [], said };
  const told = Object.keys(Object.values(sheet.rows)[0]?.[0] ?? {}) as PaymentColumn[];
  for (const [column, [header = '']] of Object.entries(sheet.wants) as [PaymentColumn, string[]][]) {
    if (profile.columns[column]?.from[0] === header) continue;
    options.from.push({ column, text: header });
    said.push(`--from "${column}=${header}"`);
  }
  // What the sheet has and nothing fills yet: the first that was proposed, if it is what the maker means.
  for (const column of told) {
    if (profile.columns[column] !== undefined || sheet.wants[column] !== undefined) continue;
    const source = columns.find((each) => each.column === column)?.candidates[0]?.source;
    const [header] = source?.from ?? [];
    if (header === undefined) continue;
    options.from.push({ column, text: header });
    said.push(`--from "${column}=${header}"`);
  }
  for (const column of answer.missingColumns as PaymentColumn[]) {
    if (options.from.some((each) => each.column === column)) continue;
    const constant = sheet.constants[column] ?? countryOf(column, sheet) ?? OF_THE_COMPANY[column];
    const text = constant ?? columns.find((each) => each.column === column)?.candidates[0]?.source.from[0];
    if (text === undefined) continue;
    options[constant === undefined ? 'from' : 'set'].push({ column, text });
    said.push(constant === undefined || sheet.constants[column] !== undefined ? `"${column}=${text}"` : OF_ALL_SHEETS);
  }
  if (profile.amountForm === null && amountForms.length > 0) {
    options.amounts = amountForm(sheet.amounts.replace(/[\u00a0\u202f]/, ' '));
    said.push(`--amounts ${sheet.amounts}`);
  }
  if (profile.dateForm === null && dateForms.length > 0 && sheet.dates !== null) {
    options.dates = dateForm(sheet.dates);
    said.push(`--dates ${sheet.dates}`);
  }
  return options;
}

function countryOf(column: PaymentColumn, { name, rows }: MadeSheet): string | undefined {
  if (column !== 'beneficiary_country' && column !== 'bank_country') return undefined;
  const [[first] = []] = Object.values(rows);
  return first?.beneficiary_country ?? first?.bank_iban?.slice(0, 2) ?? (name.includes('quickbooks') ? 'US' : 'GB');
}
