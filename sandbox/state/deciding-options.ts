import { defaultOptions, type SandboxOptions } from '../config/defaults.ts';

/** Options that say where the sandbox is, how it is limited and what time it is: they may differ from start to start. */
const indifferent: ReadonlySet<string> = new Set<keyof SandboxOptions>([
  'port',
  'host',
  'publicUrl',
  'limitPerSecond',
  'limitPerDay',
  'standingAtMs',
  'wallNow',
  'monotonicNow',
  'log',
  'report',
  'stateFile',
]);

/** These hold secrets, which no message shows. */
const secret: ReadonlySet<string> = new Set<keyof SandboxOptions>(['accounts', 'webhookHeaders', 'webhookUrl']);

/** The options that decide what a call does: a state that was made with some cannot be made again with others. */
export function decidingOptions(options: SandboxOptions): Record<string, unknown> {
  const deciding = Object.entries(options).filter(([name]) => !indifferent.has(name));
  const accounts = options.accounts.map((account) => ({ ...account, limitPerSecond: null, limitPerDay: null }));
  return { ...Object.fromEntries(deciding), accounts };
}

/**
 * Compares the options that a state was begun with to those of now; an option that did not exist then had its default.
 * Answers what differs, for a message; undefined when nothing does.
 */
export function differenceOf(
  begunWith: Readonly<Record<string, unknown>>,
  options: SandboxOptions,
): string | undefined {
  const now = decidingOptions(options);
  const begun = { ...decidingOptions(defaultOptions), ...begunWith };
  const name = Object.keys(now).find((option) => canonical(begun[option]) !== canonical(now[option]));
  if (name === undefined) return undefined;
  return secret.has(name) ? `another ${name}` : `${name} ${canonical(begun[name])}, not ${canonical(now[name])}`;
}

/** JSON that is the same whatever the order of the keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
