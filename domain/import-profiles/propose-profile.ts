import { CSV_COLUMNS, type PaymentColumn } from '../payment-file/csv-columns.ts';
import type { NamedSamples, ProposedColumn } from './candidate.ts';
import { candidatesOf } from './candidates.ts';
import { headerKey, nameHeaders } from './headers.ts';
import { type AmountForm, type DateForm, type Profile, profileSchema, withColumns } from './profile.ts';
import { type ProposedForm, proposeAmountForm, proposeDateForm, type SampleCell } from './propose-forms.ts';
import { BOOK_NEEDS, type SheetUse } from './sheet-use.ts';
import type { SheetRecord } from './sheet-record.ts';

export interface SheetSamples extends Omit<NamedSamples, 'names'> {
  headers: readonly string[];
}

export interface Proposal extends ProposedForms {
  /** With everything that is decided. */
  profile: Profile;
  columns: ProposedColumn[];
}

/** A profile for a sheet whose headers payrun does not know. What has two answers stays open, and both are shown. */
export function proposeProfile(samples: SheetSamples, name = 'New profile'): Proposal {
  const names = nameHeaders(samples.headers);
  const columns = candidatesOf({ ...samples, names });
  const first = (proposed: readonly ProposedColumn[]) =>
    Object.fromEntries(proposed.map(({ column, candidates }) => [column, candidates[0]?.source]));
  // Of what stays open, the forms of the best candidate.
  const forms = proposeForms(first(columns), samples);
  const empty = { name, headers: names, ignored: names, columns: {} };
  const decided = withColumns(profileSchema.parse(empty), first(columns.filter(({ isDecided }) => isDecided)));
  const profile = { ...decided, amountForm: forms.amountForm.form, dateForm: forms.dateForm.form };
  return { profile, columns, ...forms };
}

/** Columns that rows need and the profile does not fill: each row, or each that describes its beneficiary. */
export function missingColumns({ columns }: Profile, use: SheetUse = 'payments'): PaymentColumn[] {
  if (use === 'beneficiaries') return BOOK_NEEDS.filter((name) => columns[name] === undefined);
  return CSV_COLUMNS.filter(({ name, need }) => {
    const isNeeded =
      need === 'always' ||
      (need === 'with_details' && columns.beneficiary_id === undefined && columns.beneficiary_key === undefined);
    return isNeeded && columns[name] === undefined;
  }).map(({ name }) => name);
}

export interface ProposedForms {
  amountForm: ProposedForm<AmountForm>;
  dateForm: ProposedForm<DateForm>;
}

/** The forms of the amounts and dates that these columns are filled from: again when a person has chosen another header. */
export function proposeForms(
  columns: Profile['columns'],
  { headers, records }: Pick<SheetSamples, 'headers' | 'records'>,
): ProposedForms {
  const keys = nameHeaders(headers).map(headerKey);
  const samplesOf = (column: PaymentColumn) => {
    const [header] = columns[column]?.from ?? [];
    return header === undefined ? [] : textSamples(keys.indexOf(headerKey(header)), records);
  };
  return { amountForm: proposeAmountForm(samplesOf('amount')), dateForm: proposeDateForm(samplesOf('pay_on')) };
}

function textSamples(place: number, records: readonly SheetRecord[]): SampleCell[] {
  return records.flatMap(({ line, cells, values }) => {
    const cell = (cells[place] ?? '').trim();
    return cell === '' || (values?.[place] ?? null) !== null ? [] : [{ line, cell }];
  });
}
