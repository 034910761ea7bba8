import { canonicalJson } from '../canonical-json.ts';
import { contentSha256 } from '../sha256.ts';
import { headerKey } from './headers.ts';
import { ownFormatProfile } from './own-format.ts';
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

/** Of everything that decides how a sheet is read: the name of a profile is not part of it. */
export function profileHash(profile: ProfileInput): string {
  return contentSha256(canonicalJson({ ...canonicalProfile(profile), name: undefined }));
}

/** Whether the profile reads a file of our columns as it is read without one. */
export function isOwnFormat(profile: Profile): boolean {
  const own = ownFormatProfile(profile.headers);
  return own !== null && profileHash({ ...own, reading: profile.reading }) === profileHash(profile);
}
