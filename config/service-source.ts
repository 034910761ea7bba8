import { dataFolder, findRunningInstance, foldersToLookIn, type InstanceAddresses } from './running-instance.ts';
import { ConfigurationError } from './configuration-error.ts';
import type { Environment } from './environment.ts';

/** Each of these says that an installation of one's own is meant, and not the payrun that runs on this machine. */
export const INSTALLATION_VARIABLES = [
  'DATABASE_URL',
  'TEMPORAL_ADDRESS',
  'PAYRUN_CONFIG',
  'PAYRUN_API_URL',
  'PAYRUN_API_KEY',
  'PAYRUN_ACCESS_KEY_ID',
  'PAYRUN_SECRET_ACCESS_KEY',
] as const;

/**
 * Where a process learns of the services it works with: all from its environment, or all from the payrun that runs
 * from its data folder. Never from both: a database of production beside the sandbox's keys would record as paid what
 * nobody has paid.
 */
export type ServiceSource =
  | { from: 'environment'; home: string; given: readonly string[] }
  | { from: 'running payrun'; home: string; addresses: InstanceAddresses }
  | { from: 'nowhere'; home: string };

export function serviceSource(environment: Environment, workingDirectory: string): ServiceSource {
  const { PAYRUN_HOME } = environment;
  const home = dataFolder(PAYRUN_HOME, workingDirectory);
  const given = INSTALLATION_VARIABLES.flatMap((name) => [name, `${name}_FILE`]).filter((name) =>
    environment.given.includes(name),
  );
  if (given.length > 0) return { from: 'environment', home, given };
  const running = findRunningInstance(foldersToLookIn(PAYRUN_HOME, workingDirectory));
  if (running === undefined) return { from: 'nowhere', home };
  return { from: 'running payrun', home: running.home, addresses: running.addresses };
}

/** Names every variable that is missing, and both ways out. */
export function missingVariables(source: ServiceSource, missing: readonly string[]): ConfigurationError {
  const names = missing.join(', ');
  switch (source.from) {
    case 'environment': {
      const are = source.given.length === 1 ? 'is' : 'are';
      return new ConfigurationError(
        `these environment variables are missing: ${names}\n` +
          `${source.given.join(', ')} ${are} set, so nothing is taken from a payrun that runs here.\n` +
          "Set the missing ones as well, or unset those to take everything from what 'payrun up' runs in this folder.",
      );
    }
    case 'running payrun':
      return new ConfigurationError(
        `the payrun that runs here does not tell ${names}, as it has none or they need credentials.\n` +
          'Set all variables of the installation that is meant, or let payrun up start that service itself.',
      );
    case 'nowhere':
      return new ConfigurationError(
        `these environment variables are missing: ${names}\n` +
          `No payrun runs in ${source.home} to take them from.\n` +
          'Set them, or start everything on this machine with: payrun up',
      );
  }
}
