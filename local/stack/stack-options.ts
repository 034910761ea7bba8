import type { AccountsFile } from '../../config/accounts-file.ts';
import type { Environment, Variables } from '../../config/environment.ts';

export interface StackOptions {
  home: string;
  environment: Environment;
  /** The variables of the child processes; the addresses of this stack override them. */
  variables: Variables;
  /** Accounts with a provider of one's own; absent: the environment names the only one, or the sandbox is meant. */
  accounts?: AccountsFile | null;
  /** Further arguments of the sandbox. */
  sandboxArguments?: readonly string[];
  /** Delete the data of earlier runs in the home folder first. */
  fresh?: boolean;
  /** Use any free HTTP port instead of the default one. */
  anyHttpPort?: boolean;
  /** Called once the database is migrated, before any service uses it. */
  beforeServices?: (record: { ownerUrl: string }) => Promise<void>;
  report: (line: string) => void;
  onGaveUp: (failure: { name: string; reason: string }) => void;
}
