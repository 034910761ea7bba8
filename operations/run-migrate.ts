import type { CommandIo } from '../client/cli/command-io.ts';
import { migrate } from '../store/database/migrate.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { readEnvironment } from '../config/environment.ts';

/** `payrun migrate`: a deployment step, so that workers and servers need not log in as the owner. */
export async function runMigrate(io: CommandIo, { json }: { json: boolean }): Promise<void> {
  const environment = readEnvironment(io.env);
  const ownerUrl = environment.PAYRUN_OWNER_DATABASE_URL ?? environment.DATABASE_URL;
  if (ownerUrl === undefined) {
    throw new ConfigurationError(
      'set PAYRUN_OWNER_DATABASE_URL to the database, as its owner (the embedded one is migrated by payrun up)',
    );
  }
  const applied = await migrate(ownerUrl);
  if (json) io.stdout.write(`${JSON.stringify({ applied })}\n`);
  else io.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Migrated: ${applied.join(', ')}.\n`);
}
