import { z } from 'zod';
import { identifiesAccount } from '../payment-file/account-columns.ts';
import { CSV_COLUMNS, identifiesPayments, type PaymentColumn } from '../payment-file/csv-columns.ts';
import { SAFE_LINE } from '../unsafe-characters.ts';
import { CELL_PART_NAMES, columnsOfPart, PREFIXED_COLUMNS, stepsTakenBy } from './column-steps.ts';
import { headerKey, nameHeaders } from './headers.ts';
import { translationKey } from './translation.ts';

/** What is taken out of a cell before it is used: of codes, which people write in groups and after a label. */
const STRIPPED = ['blanks', 'dashes', 'dots', 'label', 'slashes'] as const;

const DIFFERING: readonly string[] = ['row_ref', 'amount'];

const headerName = z.string().min(1).max(200);
const text = z.string().max(1000);

export const columnSourceSchema = z.strictObject({
  /** The headers that fill the column; none: its constant alone. */
  from: z.array(headerName).max(5).default([]),
  /** Between the cells of several headers; empty cells are left out. */
  between: z.string().max(10).default(' '),
  part: z.enum(CELL_PART_NAMES).nullable().default(null),
  strip: z.array(z.enum(STRIPPED)).default([]),
  /** Small letters a to z become capitals. */
  capitals: z.boolean().default(false),
  /** What the sheet says → what it means. A cell that is neither is a problem. */
  translate: z.record(text.min(1), text.min(1)).default({}),
  prefix: z.string().max(30).default(''),
  /** Of `row_ref` alone: a letter that it may not have is replaced. */
  replaceLetters: z.boolean().default(false),
  /** Of every row whose sheet says nothing else. */
  constant: text.min(1).nullable().default(null),
});

export const amountFormSchema = z
  .strictObject({
    decimalSign: z.enum(['.', ',']),
    /** Between thousands, and nothing else; a blank stands for every blank. */
    groupSeparator: z.enum(['', '.', ',', ' ', "'"]),
  })
  .refine((form) => form.decimalSign !== form.groupSeparator, 'the decimal sign cannot separate thousands as well');

export const dateFormSchema = z.strictObject({ order: z.enum(['ymd', 'dmy', 'mdy']), yearDigits: z.literal([2, 4]) });

const columnName = z.enum(CSV_COLUMNS.map(({ name }) => name) as [PaymentColumn, ...PaymentColumn[]]);

/** How a sheet of one form becomes rows of our columns. Plain JSON. */
export const profileSchema = z
  .strictObject({
    name: z.string().min(1).max(80).regex(SAFE_LINE, 'the name has an invisible character: type it again'),
    /** Null: as found in the file. */
    reading: z
      .strictObject({
        encoding: z.string().max(40).nullable().default(null),
        delimiter: z.string().length(1).nullable().default(null),
        sheetName: z.string().max(200).nullable().default(null),
        /** The line of the headers, from 1; those above are skipped. 0: there are none, and columns are called `column 1` and so on. */
        headerLine: z.int().min(0).max(1000).nullable().default(null),
      })
      .prefault({}),
    /** Of the sheet that it was made for, as `nameHeaders` names them. */
    headers: z.array(headerName).max(1_000),
    /** Headers that fill nothing: each is either here or in a column. */
    ignored: z.array(headerName).max(1_000).default([]),
    columns: z.partialRecord(columnName, columnSourceSchema),
    /** Null: not decided, so that no amount is read. */
    amountForm: amountFormSchema.nullable().default(null),
    /** Null: not decided, so that no date is read. */
    dateForm: dateFormSchema.nullable().default(null),
  })
  .superRefine((profile, context) => {
    for (const { path, message } of contradictions(profile)) context.addIssue({ code: 'custom', path, message });
  });

export type Profile = z.output<typeof profileSchema>;
export type ProfileInput = z.input<typeof profileSchema>;
export type ColumnSource = z.output<typeof columnSourceSchema>;
export type AmountForm = z.output<typeof amountFormSchema>;
export type DateForm = z.output<typeof dateFormSchema>;

interface Contradiction {
  path: string[];
  message: string;
}

/** The columns that a profile fills, in the order of the table. */
export function columnsOf(profile: Pick<Profile, 'columns'>): { column: PaymentColumn; source: ColumnSource }[] {
  return CSV_COLUMNS.flatMap(({ name }) => {
    const source = profile.columns[name];
    return source === undefined ? [] : [{ column: name, source }];
  });
}

/** The profile with other sources for some columns; null: the column is not filled. Headers that fill nothing are ignored. */
export function withColumns(
  profile: Profile,
  changes: Partial<Record<PaymentColumn, z.input<typeof columnSourceSchema> | null>>,
): Profile {
  const filled = Object.entries({ ...profile.columns, ...changes }).flatMap(([column, source]) =>
    source === null ? [] : [[column, source] as const],
  );
  const used = new Set(filled.flatMap(([, { from = [] }]) => from.map(headerKey)));
  const ignored = profile.headers.filter((header) => !used.has(headerKey(header)));
  return profileSchema.parse({ ...profile, ignored, columns: Object.fromEntries(filled) });
}

/**
 * A known profile for the next sheet: what beneficiaries read in every row, as "Salary November", is asked for each time, as nothing else
 * would keep last month's from being paid with.
 */
export function forNextRun(profile: Profile): Profile {
  // guard: text-of-each-run
  return lastText(profile) === null ? profile : withColumns(profile, { payment_reference: null });
}

/** What beneficiaries read in every row; null: the sheet says it. */
export function lastText({ columns }: Profile): string | null {
  const source = columns.payment_reference;
  return source === undefined || source.from.length > 0 ? null : source.constant;
}

/** The profile for a sheet with one more column, which is called as ours that it fills. An account's is then filled by it alone. */
export function withAddedColumn(profile: Profile, column: PaymentColumn): Profile {
  const before = profile.columns[column];
  const source = { ...before, from: [column], constant: identifiesAccount(column) ? null : before?.constant };
  return profileSchema.parse({
    ...profile,
    headers: [...profile.headers, column],
    columns: { ...profile.columns, [column]: source },
  });
}

/**
 * The profile for a sheet of other headers: added ones are ignored, and a column that was filled from a missing one is not filled.
 * It is another profile then, to be looked at and confirmed as such.
 */
export function withHeaders(profile: Profile, sheetHeaders: readonly string[]): Profile {
  const headers = nameHeaders(sheetHeaders);
  const known = new Set(headers.map(headerKey));
  const columns = Object.fromEntries(
    columnsOf(profile)
      .filter(({ source }) => source.from.every((header) => known.has(headerKey(header))))
      .map(({ column, source }) => [column, source]),
  );
  return withColumns({ ...profile, headers, columns }, {});
}

/** The profile for the same sheet with other names: `names` has one for each of `before`, in their order. */
export function withRenamedHeaders(profile: Profile, before: readonly string[], names: readonly string[]): Profile {
  const nameOf = new Map(before.map((header, index) => [headerKey(header), names[index] ?? header]));
  const renamed = (headers: readonly string[]): string[] => headers.map((name) => nameOf.get(headerKey(name)) ?? name);
  const columns = Object.fromEntries(
    columnsOf(profile).map(({ column, source }) => [column, { ...source, from: renamed(source.from) }]),
  );
  return profileSchema.parse({
    ...profile,
    ...{ headers: renamed(profile.headers), ignored: renamed(profile.ignored), columns },
  });
}

function contradictions(profile: Profile): Contradiction[] {
  return [
    ...headerContradictions(profile),
    ...columnsOf(profile).flatMap(({ column, source }) =>
      columnContradictions(column, source).map((message) => ({ path: ['columns', column], message })),
    ),
  ];
}

function headerContradictions(profile: Profile): Contradiction[] {
  const known = new Set(profile.headers.map(headerKey));
  const ignored = new Set(profile.ignored.map(headerKey));
  const used = new Set(columnsOf(profile).flatMap(({ source }) => source.from.map(headerKey)));
  const found: Contradiction[] = [];
  const add = (path: string, message: string) => found.push({ path: [path], message });
  if (known.size < profile.headers.length)
    add('headers', 'two headers are the same: number the second one, as "Name (2)"');
  for (const key of [...used, ...ignored]) {
    if (!known.has(key))
      add('headers', `"${key}" is not a header of the profile: add it, or take it out of the columns`);
  }
  for (const header of profile.headers) {
    const key = headerKey(header);
    if (used.has(key) && ignored.has(key)) add('ignored', `"${header}" is ignored and fills a column: decide for one`);
    if (!used.has(key) && !ignored.has(key)) {
      add('ignored', `"${header}" fills no column: give it one, or list it as ignored`);
    }
  }
  return found;
}

function columnContradictions(column: PaymentColumn, source: ColumnSource): string[] {
  const { from, part, strip, capitals, translate, prefix, replaceLetters, constant } = source;
  const found: string[] = [];
  if (from.length === 0 && constant === null) found.push('nothing fills it: name a header, or give a constant');
  if (new Set(from.map(headerKey)).size < from.length) found.push('a header is named twice: name it once');
  // guard: amount-from-the-sheet
  if (DIFFERING.includes(column) && constant !== null) {
    found.push('it differs from row to row: fill it from a header');
  }
  // An account that the sheet leaves out is asked for, not replaced by another one.
  // guard: account-from-the-sheet (3 lines)
  if (from.length > 0 && constant !== null && identifiesAccount(column)) {
    found.push('it says which account is paid: fill it from a header, or with one text for all rows, not with both');
  }
  if (column !== 'row_ref' && replaceLetters)
    found.push('letters are replaced in row_ref alone: leave replaceLetters out');
  const takes = stepsTakenBy(column);
  if (prefix !== '' && !takes.prefixes) found.push(`a prefix is for ${PREFIXED_COLUMNS}: leave it out`);
  if (part !== null && !takes.parts.includes(part)) {
    found.push(`the part "${part}" is for ${columnsOfPart(part).join(', ')}: leave it out`);
  }
  const translated = Object.keys(translate);
  // guard: payees-not-translated
  if (translated.length > 0 && identifiesPayments(column)) {
    found.push('it decides who gets what, so it is not translated: correct it in the sheet');
  }
  if (new Set(translated.map(translationKey)).size < translated.length) {
    found.push('two translations are of the same text: keep one');
  }
  const steps = from.length > 1 || part !== null || strip.length > 0 || capitals || translated.length > 0;
  if (!takes.joins && steps) {
    found.push('it is read by its form, from one header: leave everything else out');
  }
  return found;
}
