import { readDatabaseSize } from '../../store/database/database-size.ts';
import { useDailyAs } from '../../store/users/daily-uses.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { asApplicationError } from '../as-application-error.ts';
import type { SignedIn } from './signed-in.ts';

/** The size is read once in this time, however many send files. */
const SIZE_KNOWN_FOR_MS = 10_000;

/**
 * Whether files of a user may be received: there is room for them beside the reserve, which what is there already needs to be paid,
 * stopped and decided; and the user has not sent too much today. @throws ApplicationError `unavailable`, `too_many`
 */
export function createUploadAdmission({ database, settings, now }: ApplicationDependencies) {
  let known: { at: number; bytes: number } | null = null;
  return async (user: SignedIn, bytes: number): Promise<void> => {
    const { quotas } = settings;
    if (quotas === undefined) return;
    if (quotas.databaseLimitBytes !== null) {
      if (known === null || now() - known.at > SIZE_KNOWN_FOR_MS) {
        known = { at: now(), bytes: await readDatabaseSize(database) };
      }
      // guard: reserve-of-the-database
      if (known.bytes + bytes > quotas.databaseLimitBytes - quotas.databaseReserveBytes) throw noRoom();
      known.bytes += bytes;
    }
    await asApplicationError(useDailyAs(database, user.tokenHash, { kind: 'upload', bytes }, quotas.uploads));
  };
}

/** Counts a report or a dry run. @throws ApplicationError `too_many` */
export async function useReport({ database, settings }: ApplicationDependencies, user: SignedIn): Promise<void> {
  if (settings.quotas === undefined) return;
  await asApplicationError(useDailyAs(database, user.tokenHash, { kind: 'report', bytes: 0 }, settings.quotas.reports));
}

function noRoom(): ApplicationError {
  return new ApplicationError(
    'unavailable',
    'no files are received, as the database has only its reserve left: whoever operates payrun gives it a larger disk and raises ' +
      'PAYRUN_DATABASE_LIMIT_MB. What is there is paid, stopped and decided as before',
  );
}
