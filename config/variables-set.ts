import { PROVIDER_VARIABLES } from './account-settings.ts';
import { type Environment, PROVIDER_CREDENTIALS } from './environment.ts';

const SERVICES = ['DATABASE_URL', 'TEMPORAL_ADDRESS'] as const;

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
  const refused = PROVIDER_CREDENTIALS.filter(isSet);
  const warning = refused.length === 0 ? '' : `; a server must not have ${refused.join(', ')}`;
  return [
    { subject: "a worker's variables", detail: tell([...SERVICES, ...PROVIDER_VARIABLES]) },
    { subject: "a server's variables", detail: `${tell(SERVICES)}${warning}` },
  ];
}
