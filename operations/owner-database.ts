import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WrongInput } from '../client/cli/exit-code.ts';
import type { Environment } from '../config/environment.ts';
import { serviceSource } from '../config/service-source.ts';

/**
 * The database as its owner: PAYRUN_OWNER_DATABASE_URL, else the embedded one of the payrun that runs here, whose owner is
 * everyone who can read its data folder. Throws WrongInput.
 */
export function ownerDatabase(environment: Environment, workingDirectory: string): string {
  const { PAYRUN_OWNER_DATABASE_URL: given } = environment;
  if (given !== undefined) return given;
  const source = serviceSource(environment, workingDirectory);
  if (source.from === 'running payrun') {
    const file = join(source.home, 'postgres', 'postgres-password');
    const { workerDatabaseUrl } = source.addresses;
    if (workerDatabaseUrl !== undefined && existsSync(file)) {
      return Object.assign(new URL(workerDatabaseUrl), {
        username: 'payrun',
        password: readFileSync(file, 'utf8').trim(),
      }).href;
    }
  }
  throw new WrongInput(
    "no payrun is running from this folder: start 'payrun up' first, or set PAYRUN_OWNER_DATABASE_URL for your own database",
  );
}
