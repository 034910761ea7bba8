import { PROVIDER_VARIABLES } from './account-settings.ts';
import { type Environment, PROVIDER_CREDENTIALS } from './environment.ts';
import type { ServiceVariable } from './known-variables.ts';

const SERVICES = ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

/** What each kind of process needs, where no accounts file names the provider, and what it refuses. */
export const PROCESS_VARIABLES = {
  worker: { needs: [...SERVICES, ...PROVIDER_VARIABLES], refuses: [] },
  server: { needs: SERVICES, refuses: PROVIDER_CREDENTIALS },
} as const satisfies Record<string, { needs: readonly ServiceVariable[]; refuses: readonly ServiceVariable[] }>;

/** Which of the variables that each kind of process needs are set here: names, and no values. */
export function variablesSet({ given }: Environment): { subject: string; detail: string }[] {
  const isSet = (name: string): boolean => given.includes(name) || given.includes(`${name}_FILE`);
  const tell = (names: readonly string[]): string => {
    const [set, missing] = [names.filter(isSet), names.filter((name) => !isSet(name))];
    if (set.length === 0) return `none of ${names.join(', ')} is set`;
    return missing.length === 0
      ? `all set: ${set.join(', ')}`
      : `set: ${set.join(', ')}; not set: ${missing.join(', ')}`;
  };
  const refused = PROCESS_VARIABLES.server.refuses.filter(isSet);
  const warning = refused.length === 0 ? '' : `; a server must not have ${refused.join(', ')}`;
  return [
    { subject: "a worker's variables", detail: tell(PROCESS_VARIABLES.worker.needs) },
    { subject: "a server's variables", detail: `${tell(PROCESS_VARIABLES.server.needs)}${warning}` },
  ];
}
