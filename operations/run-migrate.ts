import type { CommandIo } from '../client/cli/command-io.ts';
import { endUpgrade, migrate } from '../store/database/migrate.ts';
import { ConfigurationError } from '../config/configuration-error.ts';
import { readEnvironment } from '../config/environment.ts';

/** `payrun migrate`: a deployment step, so that workers and servers need not log in as the owner. */
export async function runMigrate(io: CommandIo, options: { json: boolean; endUpgrade: boolean }): Promise<void> {
  const environment = readEnvironment(io.env);
  const ownerUrl = environment.PAYRUN_OWNER_DATABASE_URL ?? environment.DATABASE_URL;
  if (ownerUrl === undefined) {
    throw new ConfigurationError(
      'set PAYRUN_OWNER_DATABASE_URL to the database, as its owner (the embedded one is migrated by payrun up)',
    );
  }
  const applied = await migrate(ownerUrl);
  const hasEnded = options.endUpgrade && (await endUpgrade(ownerUrl));
  if (options.json) io.stdout.write(`${JSON.stringify({ applied, upgradeEnded: hasEnded })}\n`);
  else io.stdout.write(applied.length === 0 ? 'The database is up to date.\n' : `Migrated: ${applied.join(', ')}.\n`);
  if (hasEnded && !options.json) io.stdout.write('The role payrun_app no longer has rights in this database.\n');
}
