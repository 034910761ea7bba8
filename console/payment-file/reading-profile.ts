import type { FileColumn } from '../../api/payment-file/column.ts';
import type { SheetReadingProposal } from '../../api/payment-file/reading.ts';
import { identifiesAccount } from '../../domain/payment-file/csv-columns.ts';
import { headerKey } from '../../domain/import-profiles/headers.ts';

/** What a person decides about the reading of a sheet, as changes of its profile. The server says what it makes of the sheet then. */

export type Proposal = SheetReadingProposal;
export type Profile = Proposal['profile'];
export type ColumnName = keyof Profile['columns'];
export type ColumnSource = NonNullable<Profile['columns'][ColumnName]>;
export type Candidate = Proposal['columns'][number]['candidates'][number];

const NOTHING: ColumnSource = {
  ...{ from: [], between: ' ', part: null, strip: [], capitals: false },
  ...{ translate: {}, prefix: '', replaceLetters: false, constant: null },
};

/** The profile with another source of a column; one of nothing: the column is not filled. Headers that fill nothing are ignored. */
export function withSource(profile: Profile, column: ColumnName, source: ColumnSource): Profile {
  const { [column]: before = NOTHING, ...others } = profile.columns;
  const isFilled = source.from.length > 0 || source.constant !== null;
  const columns: Profile['columns'] = isFilled ? { ...others, [column]: source } : others;
  const used = new Set(Object.values(columns).flatMap(({ from }) => from.map(headerKey)));
  // Other cells may be written in another form: it is proposed again.
  const isOther = before.from.join('\n') !== source.from.join('\n');
  return {
    ...profile,
    columns,
    ignored: profile.headers.filter((header) => !used.has(headerKey(header))),
    amountForm: column === 'amount' && isOther ? null : profile.amountForm,
    dateForm: column === 'pay_on' && isOther ? null : profile.dateForm,
  };
}

/** The source of a column that is filled from these headers. What was proposed for them knows how their cells are written. */
export function sourceFrom(proposal: Proposal, profile: Profile, column: ColumnName, from: string[]): ColumnSource {
  const { constant: before = null, between = ' ', prefix = '' } = profile.columns[column] ?? {};
  const constant = from.length > 0 && identifiesAccount(column) ? null : before;
  const proposed = candidatesOf(proposal, column).find(
    ({ source }) => from.length > 0 && source.from.join('\n') === from.join('\n'),
  );
  if (proposed !== undefined) return { ...proposed.source, constant: proposed.source.constant ?? constant };
  if (from.length === 0) return { ...NOTHING, constant };
  return { ...NOTHING, from, between, prefix, replaceLetters: column === 'row_ref', constant };
}

/** The source of a column with this text in every row that says nothing else. */
export function sourceWithConstant(profile: Profile, column: ColumnName, text: string): ColumnSource {
  return { ...(profile.columns[column] ?? NOTHING), constant: text.trim() === '' ? null : text.trim() };
}

/** Amounts and dates are read by their form, from one cell. */
export function takesOneHeader(column: ColumnName): boolean {
  return column === 'amount' || column === 'pay_on';
}

/**
 * A reference that is the same in every row tells no payments apart, and an amount is what the sheet says. Where a header fills the column
 * of an account, no other account takes the place of one that is missing.
 */
export function takesConstant(column: ColumnName, { from }: Pick<ColumnSource, 'from'> = NOTHING): boolean {
  return column !== 'row_ref' && column !== 'amount' && !(from.length > 0 && identifiesAccount(column));
}

export function candidatesOf({ columns }: Proposal, column: ColumnName): readonly Candidate[] {
  return columns.find((each) => each.column === column)?.candidates ?? [];
}

export function isSameSource(one: ColumnSource | undefined, other: ColumnSource): boolean {
  return one !== undefined && JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(source: ColumnSource): unknown[] {
  const translations = Object.entries(source.translate).sort();
  const { from, between, part, strip, capitals, prefix, replaceLetters, constant } = source;
  return [from, from.length > 1 ? between : '', part, strip, capitals, prefix, replaceLetters, constant, translations];
}

/** What a column still needs: it must be decided; it may be, as the sheet has something for it; nothing. */
export type Openness = 'must' | 'may' | null;

export function opennessOf({ columns, missingColumns }: Proposal, profile: Profile, column: ColumnName): Openness {
  if (profile.columns[column] !== undefined) return null;
  if (missingColumns.includes(column)) return 'must';
  return columns.some((each) => each.column === column && !each.isDecided) ? 'may' : null;
}

export function isEncodingOpen({ choices }: Proposal): boolean {
  return choices.some(({ what }) => what === 'encoding');
}

/** What keeps the sheet from being read, in words. Empty: it can be submitted. */
export function leftToDecide(proposal: Proposal): string[] {
  const { missingColumns, undecided } = proposal;
  return [
    ...(isEncodingOpen(proposal) ? ['the encoding of the file'] : []),
    ...missingColumns,
    ...(undecided.includes('amount') ? ['how amounts are written'] : []),
    ...(undecided.includes('pay_on') ? ['how dates are written'] : []),
  ];
}

/** A file with our own headers, about which nothing is to be decided. */
export function isPlainlyOurs(proposal: Proposal): boolean {
  return proposal.from === 'own_columns' && leftToDecide(proposal).length === 0;
}

/**
 * The columns that are shown: those that are filled, that rows need, that the sheet has something for, or that were asked for.
 * Some come first, and stay there: what is decided does not jump away.
 */
export function shownColumns<C extends Pick<FileColumn, 'name' | 'need'>>(
  { proposal, profile }: { proposal: Proposal; profile: Profile },
  columns: readonly C[],
  { added, first }: { added: readonly string[]; first: readonly string[] },
): C[] {
  const isById = profile.columns.beneficiary_id !== undefined || profile.columns.beneficiary_key !== undefined;
  const shown = columns.filter(
    ({ name, need }) =>
      profile.columns[name as ColumnName] !== undefined ||
      need === 'always' ||
      (need === 'with_details' && !isById) ||
      proposal.missingColumns.includes(name) ||
      candidatesOf(proposal, name as ColumnName).length > 0 ||
      added.includes(name),
  );
  const isFirst = ({ name }: C) => first.includes(name);
  return [...shown.filter(isFirst), ...shown.filter((column) => !isFirst(column))];
}

/** Named after the file that it was made from, until somebody names it otherwise. */
export function namedAfter(profile: Profile, fileName: string): Profile {
  const plain = fileName.replace(/\.[^.]*$/, '').replaceAll(/[^\p{L}\p{N} ._()&+-]/gu, ' ');
  const name = plain
    .slice(0, 60)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
  return name === '' ? profile : { ...profile, name };
}

/** @throws Error that says why the text is no profile; whether it is a valid one says the server. */
export function readProfileFile(text: string): Profile {
  let read: unknown = null;
  try {
    read = JSON.parse(text);
  } catch {
    // Said below.
  }
  const isProfile = typeof read === 'object' && read !== null && 'headers' in read && 'columns' in read;
  if (!isProfile)
    throw new Error('This is no profile. Choose one that was downloaded here, or written by payrun prepare.');
  return read as Profile;
}
