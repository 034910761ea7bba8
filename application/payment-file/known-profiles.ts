import type { Profile } from '../../domain/import-profiles/profile.ts';
import { listKnownProfiles } from '../../store/runs/run-profiles.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { payeesOf } from '../data-keys.ts';

/** Those that may read a file of the account. None where a profile was given: that one reads it. */
export async function knownProfiles(
  dependencies: ApplicationDependencies,
  account: string,
  given: Profile | null,
): Promise<Profile[]> {
  if (given !== null) return [];
  return listKnownProfiles(dependencies.database, await payeesOf(dependencies), account);
}
