import { defaultOptions, type SandboxOptions } from '../config/options.ts';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import { plainUserVariants } from '../config/user-variants.ts';

/** Options for addresses, limits and the time of day. They may differ from one start to the next. */
const notRecorded: ReadonlySet<string> = new Set<keyof SandboxOptions>([
  'port',
  'host',
  'publicUrl',
  'limitPerSecond',
  'limitPerDay',
  'frozenAtMs',
  'wallNow',
  'monotonicNow',
  'log',
  'report',
  'stateFile',
]);

/** These contain secrets, which no message may show. */
const secret: ReadonlySet<string> = new Set<keyof SandboxOptions>(['accounts', 'webhookHeaders', 'webhookUrl']);

/** Values by the names that files of an earlier state have. */
const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  answers: { drawn: 'seeded' },
  userDateFormat: { B: 'DD-MM-YYYY', A: 'YYYY-MM-DD' },
};

/** The options that determine the effect of a call: a state can only be replayed with the same values. */
export function recordedOptions(options: ResolvedOptions): Record<string, unknown> {
  const recorded = Object.entries(options).filter(([name]) => !notRecorded.has(name));
  const accounts = options.accounts.map((account) => ({ ...account, limitPerSecond: null, limitPerDay: null }));
  return { ...Object.fromEntries(recorded), accounts };
}

/**
 * Compares the options in a state file with the current ones; an option that did not exist then had its default.
 * Returns the difference for a message; undefined when there is none.
 */
export function optionDifference(
  recorded: Readonly<Record<string, unknown>>,
  options: ResolvedOptions,
): string | undefined {
  const current = recordedOptions(options);
  const before = { ...recordedOptions({ ...defaultOptions, ...plainUserVariants }), ...withPresentNames(recorded) };
  const name = Object.keys(current).find((option) => canonical(before[option]) !== canonical(current[option]));
  if (name === undefined) return undefined;
  return secret.has(name) ? `another ${name}` : `${name} ${canonical(before[name])}, not ${canonical(current[name])}`;
}

function withPresentNames(recorded: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const present = Object.entries(recorded).map(([name, value]) => [name, renamed[name]?.[String(value)] ?? value]);
  return Object.fromEntries(present) as Record<string, unknown>;
}

/** JSON that does not depend on the order of the keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
