import { findProfiles, nameHeaders } from '../../domain/import-profiles/headers.ts';
import type { Candidate, ProposedColumn } from '../../domain/import-profiles/candidate.ts';
import { NOTHING } from '../../domain/import-profiles/proposed-source.ts';
import { ownFormatProfile } from '../../domain/import-profiles/own-format.ts';
import { explainReading } from '../../domain/import-profiles/explain-reading.ts';
import { forNextRun, lastText, type Profile, withColumns } from '../../domain/import-profiles/profile.ts';
import {
  missingColumns,
  type Proposal,
  proposeForms,
  proposeProfile,
  type SheetSamples,
} from '../../domain/import-profiles/propose-profile.ts';
import { columnsForBook, profileForBook, type SheetUse } from '../../domain/import-profiles/sheet-use.ts';
import { undecidedForms } from '../../domain/import-profiles/read-record.ts';
import { READY_PROFILES } from '../../domain/import-profiles/ready-profiles.ts';
import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { Destination } from '../../domain/payment-file/corridor-template.ts';
import type { SheetReadingProposal } from '../../api/payment-file/reading.ts';
import type { LeftOut } from '../sheets/find-table.ts';
import { hasHeaderLine, type SheetLimits } from '../sheets/sheet.ts';
import type { FileContent } from './file-content.ts';
import { firstRowsOf } from './first-rows.ts';
import { openTableFor } from './open-known-table.ts';
import type { PaymentTable, WantedTable } from './payment-table.ts';
import { profileInEncoding } from './profile-in-encoding.ts';
import { problemsOfNotes, sumNotes } from './read-rows.ts';
import { MOST_SUMS } from './read-table.ts';

export interface FileToPropose {
  file: FileContent;
  /** What a person has decided so far. Null: nothing. */
  profile: Profile | null;
  /** One of them may read it. */
  known: readonly Profile[];
  /** How the file itself is read, as a person chose. */
  wanted: WantedTable;
  /** Absent: its rows are payments. */
  use?: SheetUse;
}

const SAMPLES = 1_000;
const SHOWN_ROWS = 3;
const SHOWN_LEFT_OUT = 100;

/** How a file would be read, and what a person has to decide. */
export interface ProposedReading {
  proposal: SheetReadingProposal;
  /** Whom its first rows pay: what the provider requires of them is not known here. */
  destinations: Destination[];
}

/** Throws UnreadableFile for what is no table. */
export async function proposeReading(
  { file, profile: given, known: profiles, wanted, use = 'payments' }: FileToPropose,
  limits: SheetLimits,
): Promise<ProposedReading> {
  const profile = given === null ? null : await profileInEncoding(file, given, wanted, limits);
  const { table, known } = await openTableFor(file, { profile, known: profiles }, wanted, limits);
  const { samples, leftOut, rowCount } = await lookThrough(table);
  const headers = nameHeaders(table.headers);
  const [last] = profiles;
  const proposal = proposalFor(use, {
    ...{ headers: table.headers, records: samples, constants: constantsOf(last) },
    lastSellCurrency: last?.columns.sell_currency?.constant ?? null,
  });
  const { chosen: asChosen, from } = chosenProfile(table, { given: profile, known, proposed: proposal.profile, use });
  const chosen = use === 'beneficiaries' ? profileForBook(asChosen) : asChosen;
  const forms = proposeForms(chosen.columns, { headers: table.headers, records: samples });
  const decided = {
    ...chosen,
    amountForm: chosen.amountForm ?? forms.amountForm.form,
    dateForm: chosen.dateForm ?? forms.dateForm.form,
    reading: readingOf(table),
  };
  const first = firstRowsOf(decided, table.headers, samples);
  const needed = use === 'payments' ? first.needed.filter((column) => decided.columns[column] === undefined) : [];
  const proposed: SheetReadingProposal = {
    form: table.sheet.form,
    from,
    profile: decided,
    headers,
    rowCount,
    droppedColumns: table.droppedColumns,
    leftOut: {
      rows: leftOut.slice(0, SHOWN_LEFT_OUT).map(({ line, because }) => ({ line, because })),
      count: leftOut.length,
    },
    notes: [...problemsOfNotes(table.sheet.notes()), ...leftOut.flatMap(sumNotes).slice(0, MOST_SUMS), ...first.notes],
    choices: table.sheet.proposals,
    columns: withLastText(proposal.columns, findProfiles(profiles, table.headers).exact[0] ?? null),
    amountForms: forms.amountForm.readings,
    dateForms: forms.dateForm.readings,
    missingColumns: [...missingColumns(decided, use), ...needed],
    undecided: undecidedForms(decided),
    rows: explainReading(decided, table.headers, samples.slice(0, SHOWN_ROWS)),
  };
  return { proposal: proposed, destinations: first.destinations };
}

/** What is the same in all sheets of a company, as its last approved run had it. */
const OF_THE_COMPANY = ['funding_source', 'funding_method', 'funding_bank_account_number'] as const;

function constantsOf(last: Profile | undefined): Cells {
  return Object.fromEntries(
    OF_THE_COMPANY.flatMap((column) => {
      const source = last?.columns[column];
      return source === undefined || source.constant === null ? [] : [[column, source.constant]];
    }),
  );
}

/** Beside what the sheet may fill it with, what beneficiaries read the last time. */
function withLastText(columns: readonly ProposedColumn[], last: Profile | null): ProposedColumn[] {
  const constant = last === null ? null : lastText(last);
  if (constant === null) return [...columns];
  const column = 'payment_reference';
  const candidate: Candidate = {
    ...{ source: { ...NOTHING, constant }, why: 'known', isSure: false },
    reason: 'it was the text of the last approved run: is it that of this one?',
  };
  const others = columns.find((each) => each.column === column)?.candidates ?? [];
  const proposed: ProposedColumn = { column, candidates: [candidate, ...others], isDecided: false };
  return [...columns.filter((each) => each.column !== column), proposed];
}

/** The profile and the columns that headers and cells suggest. */
function proposalFor(use: SheetUse, samples: SheetSamples): Pick<Proposal, 'profile' | 'columns'> {
  const { profile, columns } = proposeProfile(samples);
  if (use === 'payments') return { profile, columns };
  const ofBook = columnsForBook(columns);
  const decided = ofBook.filter(({ isDecided }) => isDecided);
  const sources = Object.fromEntries(decided.map(({ column, candidates }) => [column, candidates[0]?.source ?? null]));
  return { profile: withColumns(profileForBook(profile), sources), columns: ofBook };
}

interface LookedThrough {
  samples: SheetRecord[];
  leftOut: LeftOut[];
  rowCount: number;
}

/** All of it, so that everything that is noted or left out is said. */
async function lookThrough(table: PaymentTable): Promise<LookedThrough> {
  const samples: SheetRecord[] = [];
  const leftOut: LookedThrough['leftOut'] = [];
  let rowCount = 0;
  for await (const rows of table.rows()) {
    const kept = rows.filter((row) => row.leftOut === null);
    rowCount += kept.length;
    samples.push(...kept.slice(0, SAMPLES - samples.length));
    for (const { leftOut: reason } of rows) {
      if (reason !== null) leftOut.push(reason);
    }
  }
  return { samples, leftOut, rowCount };
}

/** What a person has decided; else our own columns, a known profile, one that comes with payrun, or what headers and cells suggest. */
function chosenProfile(
  { headers, sheet }: PaymentTable,
  { given, known, proposed, use }: { given: Profile | null; known: Profile | null; proposed: Profile; use: SheetUse },
): { chosen: Profile; from: SheetReadingProposal['from'] } {
  if (given !== null) return { chosen: given, from: 'given' };
  const own = ownFormatProfile(headers);
  if (own !== null && missingColumns(own, use).length === 0) return { chosen: own, from: 'own_columns' };
  if (known !== null) return { chosen: forNextRun(known), from: 'known' };
  if (own !== null) {
    return sheet.form === 'pain001'
      ? { chosen: { ...own, name: 'Payment order' }, from: 'ready' }
      : { chosen: own, from: 'own_columns' };
  }
  const [ready] = findProfiles(READY_PROFILES, headers).exact;
  return ready === undefined ? { chosen: proposed, from: 'proposed' } : { chosen: ready, from: 'ready' };
}

/** What is fixed in the profile, so that the next file is read alike. A choice that is still open stays open. */
function readingOf({ sheet, headerLine }: PaymentTable): Profile['reading'] {
  const isOpen = (what: string) => sheet.proposals.some((proposal) => proposal.what === what);
  return {
    encoding: sheet.form !== 'csv' || isOpen('encoding') ? null : sheet.reading.encoding,
    delimiter: sheet.reading.delimiter,
    sheetName: sheet.reading.sheetName,
    headerLine: hasHeaderLine(sheet.form) ? headerLine : null,
  };
}
