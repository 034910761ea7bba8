import type { SandboxOptions } from '../config/options.ts';
import type { Json } from '../core/json.ts';
import type { Requirements } from './requirements.ts';

/** Requirements in answers, in either form. Contract: payments 2.1. */
export function requirementsAnswer(
  { entityType, root, bankAccount }: Requirements,
  form: SandboxOptions['requirementForm'],
): Json {
  if (form === 'literal') return { entityType, ...root, bankAccount: { ...bankAccount } };
  return { entityType: `^${entityType}$`, ...unanchored(root), bankAccount: unanchored(bankAccount) };
}

const unanchored = (patterns: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(patterns).map(([field, pattern]) => [field, pattern.replace(/^\^/, '').replace(/\$$/, '')]),
  );
