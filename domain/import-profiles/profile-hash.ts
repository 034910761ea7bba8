import type { PaymentColumn } from '../payment-file/csv-columns.ts';
import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { headerKey } from './headers.ts';
import { decidesWhoGetsWhat, ownFormatProfile } from './own-format.ts';
import { type ColumnSource, columnsOf, type Profile, type ProfileInput, profileSchema } from './profile.ts';

/**
 * The one form of profiles that read alike: with every default, headers written as in the profile's own list, no
 * order in lists that have none. Throws a ZodError for what is not a profile.
 */
export function canonicalProfile(input: ProfileInput): Profile {
  const profile = profileSchema.parse(input);
  const written = new Map(profile.headers.map((header) => [headerKey(header), header]));
  const asWritten = (header: string) => written.get(headerKey(header)) ?? header;
  const canonicalSource = (source: ColumnSource): ColumnSource => ({
    ...source,
    from: source.from.map(asWritten),
    // With less than two headers nothing is between them.
    between: source.from.length > 1 ? source.between : ' ',
    strip: [...new Set(source.strip)].sort(),
  });
  return {
    ...profile,
    ignored: [...new Set(profile.ignored.map(asWritten))].sort(),
    columns: Object.fromEntries(columnsOf(profile).map(({ column, source }) => [column, canonicalSource(source)])),
  };
}

/**
 * Of what is confirmed of a profile: all that decides how a sheet is read, without its name, and without texts for every row that decide
 * neither who is paid nor how much, as "Salary November".
 */
export function profileHash(profile: ProfileInput): string {
  return contentSha256(readingOf(confirmedPart(profile)));
}

/** The profile without what may change from run to run. */
export function confirmedPart(profile: ProfileInput): Profile {
  const canonical = canonicalProfile(profile);
  const confirmed = columnsOf(canonical).flatMap(({ column, source }) => {
    // guard: payee-texts-confirmed
    if (isConfirmedText(column)) return [[column, source] as const];
    return source.from.length === 0 ? [] : [[column, { ...source, constant: null }] as const];
  });
  // Where no cell is read as a date, their form says nothing.
  const dateForm = (canonical.columns.pay_on?.from.length ?? 0) > 0 ? canonical.dateForm : null;
  return { ...canonical, columns: Object.fromEntries(confirmed), dateForm };
}

/** The currency that is paid from decides how much, where the amount is what is spent. */
function isConfirmedText(column: PaymentColumn): boolean {
  return decidesWhoGetsWhat(column) || column === 'sell_currency';
}

function readingOf(profile: Profile): string {
  return canonicalJson({ ...profile, name: undefined });
}

/** Whether the profile reads a file of our columns as it is read without one. */
export function isOwnFormat(profile: Profile): boolean {
  const own = ownFormatProfile(profile.headers);
  return (
    own !== null &&
    readingOf(canonicalProfile({ ...own, reading: profile.reading })) === readingOf(canonicalProfile(profile))
  );
}
