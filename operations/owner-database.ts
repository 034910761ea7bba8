import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongInput } from '../client/cli/exit-code.ts';
import type { Environment } from '../config/environment.ts';
import { findRunningInstance, foldersToLookIn } from '../config/running-instance.ts';

/**
 * The database as its owner: PAYRUN_OWNER_DATABASE_URL, else the embedded one of the payrun that runs here, whose owner is
 * everyone who can read its data folder. Throws WrongInput.
 */
export function ownerDatabase(environment: Environment, workingDirectory: string): string {
  const { PAYRUN_OWNER_DATABASE_URL: given } = environment;
  if (given !== undefined) return given;
  const named = ['DATABASE_URL', 'DATABASE_URL_FILE'].find((name) => environment.given.includes(name));
  if (named !== undefined) {
    throw new WrongInput(
      `${named} is set, so the database of a payrun that runs here is not taken: set PAYRUN_OWNER_DATABASE_URL as well, or unset it`,
    );
  }
  // Variables of the provider name no database: they may be those that this payrun was started with.
  const running = findRunningInstance(foldersToLookIn(environment.PAYRUN_HOME, workingDirectory));
  if (running !== undefined) {
    const file = join(running.home, 'postgres', 'postgres-password');
    const { workerDatabaseUrl } = running.addresses;
    if (workerDatabaseUrl !== undefined && existsSync(file)) {
      return Object.assign(new URL(workerDatabaseUrl), {
        username: 'payrun',
        password: readFileSync(file, 'utf8').trim(),
      }).href;
    }
    throw new WrongInput(
      'the payrun that runs here uses a database of your own: set PAYRUN_OWNER_DATABASE_URL to it, as its owner',
    );
  }
  throw new WrongInput(
    "no payrun is running from this folder: start 'payrun up' first, or set PAYRUN_OWNER_DATABASE_URL for your own database",
  );
}
