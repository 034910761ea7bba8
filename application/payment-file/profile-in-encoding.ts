import { compareHeaders, isSameHeaders, nameHeaders } from '../../domain/import-profiles/headers.ts';
import { type Profile, withRenamedHeaders } from '../../domain/import-profiles/profile.ts';
import type { SheetLimits } from '../sheets/sheet.ts';
import type { FileContent } from './file-content.ts';
import { asUnreadable, openAsBefore } from './open-known-table.ts';
import { UnreadableFile } from './file-problem.ts';
import type { WantedTable } from './payment-table.ts';

/**
 * The profile of a file for the encoding that a person chooses now, which may change letters of its headers: each gets its name in that
 * encoding by its place. Unchanged where the file is not the one that it was made for.
 */
export async function profileInEncoding(
  file: FileContent,
  profile: Profile,
  { encoding, ...others }: WantedTable,
  limits: SheetLimits,
): Promise<Profile> {
  if (encoding === undefined) return profile;
  const before = await openAsBefore(file, profile, others, limits).catch(asUnreadable);
  const after = await openAsBefore(file, profile, { ...others, encoding }, limits).catch(asUnreadable);
  if (before instanceof UnreadableFile || after instanceof UnreadableFile) return profile;
  if (!isSameHeaders(compareHeaders(profile.headers, before.headers))) return profile;
  const names = nameHeaders(after.headers);
  return names.length === before.headers.length
    ? withRenamedHeaders(profile, nameHeaders(before.headers), names)
    : profile;
}
