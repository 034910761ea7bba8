import { CSV_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { Cells } from '../payment-file/raw-row.ts';
import { candidatesOf } from './candidates.ts';
import { headerKey, nameHeaders } from './headers.ts';
import type { AmountForm, ColumnSource, DateForm, Profile } from './profile.ts';
import { profileSchema } from './profile.ts';
import { type ProposedForm, proposeAmountForm, proposeDateForm, type SampleCell } from './propose-forms.ts';
import type { SheetRecord } from './read-record.ts';

export interface SheetSamples {
  headers: readonly string[];
  /** The more, the better: forms are decided by what these rows show. */
  records: readonly SheetRecord[];
  /** What is the same for every row as far as is known, such as the account's sell currency. */
  constants: Cells;
}

/** What may fill a column, and why. */
export interface Candidate {
  source: ColumnSource;
  /** By the header, by what the cells are, by both, or known without the sheet. */
  why: 'header' | 'contents' | 'both' | 'known';
  /** Not sure: it is to be looked at. */
  isSure: boolean;
  /** A sentence for the person who decides. */
  reason: string;
}

export interface ProposedColumn {
  column: PaymentColumn;
  /** The best first. */
  candidates: Candidate[];
  /** The first one is clearly better than the others, and in the profile. Else a person decides, and it is not. */
  isDecided: boolean;
}

export interface Proposal {
  /** With everything that is decided. */
  profile: Profile;
  columns: ProposedColumn[];
  amountForm: ProposedForm<AmountForm>;
  dateForm: ProposedForm<DateForm>;
  /** Columns that rows need and nothing was found for. */
  missing: PaymentColumn[];
}

/** A profile for a sheet whose headers payrun does not know. What has two answers stays open, and both are shown. */
export function proposeProfile({ headers, records, constants }: SheetSamples, name = 'New profile'): Proposal {
  const names = nameHeaders(headers);
  const columns = candidatesOf({ names, records, constants });
  const decided = columns.filter(({ isDecided }) => isDecided);
  const sources: Partial<Record<PaymentColumn, ColumnSource>> = {};
  for (const { column, candidates } of decided) sources[column] = candidates[0]?.source;
  const samplesOf = (column: PaymentColumn) => textSamples(names.indexOf(sources[column]?.from[0] ?? ''), records);
  const amountForm = proposeAmountForm(samplesOf('amount'));
  const dateForm = proposeDateForm(samplesOf('pay_on'));
  const used = new Set(Object.values(sources).flatMap(({ from }) => from.map(headerKey)));
  const profile = profileSchema.parse({
    name,
    headers: names,
    ignored: names.filter((header) => !used.has(headerKey(header))),
    columns: sources,
    amountForm: amountForm.form,
    dateForm: dateForm.form,
  });
  const isFound = (column: PaymentColumn) => columns.some((proposed) => proposed.column === column);
  const missing = CSV_COLUMNS.filter(
    ({ name: column, need }) =>
      (need === 'always' || (need === 'with_details' && !isFound('beneficiary_id'))) && !isFound(column),
  ).map(({ name: column }) => column);
  return { profile, columns, amountForm, dateForm, missing };
}

function textSamples(place: number, records: readonly SheetRecord[]): SampleCell[] {
  if (place < 0) return [];
  return records.flatMap(({ line, cells, values }) => {
    const cell = (cells[place] ?? '').trim();
    return cell === '' || (values?.[place] ?? null) !== null ? [] : [{ line, cell }];
  });
}
