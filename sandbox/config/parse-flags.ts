import { resolve } from 'node:path';
import { readAccountsFile } from './accounts-file.ts';
import { operationIds } from '../endpoints/operations.ts';
import { balanceProblem } from './accounts.ts';
import { defaultOptions, type SandboxOptions } from './options.ts';
import { camelCase, countFlags, listFlags, sandboxFlags, textFlags } from './flags.ts';
import { switchValue, switches } from './switches.ts';
import { webhookHeaders } from '../webhooks/webhook-headers.ts';

/** The result of a command line parser, by `key`; the last value wins when a flag is not repeatable. */
export type ParsedFlags = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/**
 * Converts parsed flags to options; options without a flag keep their default. File names are relative to `workingDir`.
 * @throws Error that names the flag and says which values it takes
 */
export function optionsFromFlags(flags: ParsedFlags, workingDir = '.'): SandboxOptions {
  const known = new Set(sandboxFlags.map(({ key }) => key));
  const unknown = Object.keys(flags).find((key) => flags[key] !== undefined && !known.has(key));
  if (unknown !== undefined) throw new Error(`${unknown}: the sandbox has no such flag`);
  const changed: Record<string, unknown> = {};
  const set = (name: string, option: keyof SandboxOptions, read: (text: string) => unknown): void => {
    const text = lastOf(flags[camelCase(name)]);
    if (text !== undefined) changed[option] = parseFlag(name, () => read(text));
  };
  for (const { name, option } of countFlags) set(name, option, count);
  for (const { name, option } of textFlags) set(name, option, textForms[option]);
  for (const { name, option } of listFlags) set(name, option, listForms[option]);
  for (const entry of switches) set(entry.name, entry.option, (word) => switchValue(entry, word));
  set('plain', 'answers', () => 'plain');
  set('accounts', 'accounts', (file) => readAccountsFile(resolve(workingDir, file)));
  const options: SandboxOptions = {
    ...defaultOptions,
    ...changed,
    balances: { ...defaultOptions.balances, ...parseFlag('balance', () => balancesOf(allOf(flags['balance']))) },
    webhookHeaders: parseFlag('webhook-header', () => headersOf(allOf(flags['webhookHeader']))),
  };
  if (options.completionMinMs > options.completionMaxMs) {
    throw new Error('--completion-min-ms: must not be more than --completion-max-ms');
  }
  return options;
}

/** Prefixes errors with the name of the flag. */
function parseFlag<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw new Error(`--${name}: ${(error as Error).message}`, { cause: error });
  }
}

const lastOf = (value: ParsedFlags[string]): string | undefined => allOf(value).at(-1);

const allOf = (value: ParsedFlags[string]): readonly string[] =>
  value === undefined ? [] : typeof value === 'object' ? value : [String(value)];

function count(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Error(`takes a whole number, not "${text}"`);
}

const textForms: Record<(typeof textFlags)[number]['option'], (text: string) => string> = {
  host: (text) => text,
  publicUrl: webAddress,
  webhookUrl: webAddress,
  stateFile: (text) => {
    if (text !== '') return text;
    throw new Error('takes the path of a file');
  },
  virtualAccountRequestPath: (text) => {
    if (/^\/[\w/-]*:requestId(\/[\w/-]*)?$/.test(text)) return text;
    throw new Error(`takes a path with :requestId, not "${text}"`);
  },
  storagePrefix: (text) => {
    if (/^[a-z][a-z0-9]{0,29}$/.test(text)) return text;
    throw new Error(`takes lower-case letters and digits, e.g. sandbox, not "${text}"`);
  },
};

const listForms: Record<(typeof listFlags)[number]['option'], (text: string) => string[]> = {
  openOperations: (text) => {
    const ids = text.split(',');
    const unknown = ids.find((id) => !operationIds.has(id));
    if (unknown !== undefined) throw new Error(`"${unknown}" is not a checklist id of the sandbox`);
    if (ids.includes('auth-authenticate')) return ids;
    throw new Error('needs auth-authenticate, or nobody could get a token');
  },
  virtualAccountProviders: (text) => {
    if (/^[\w-]+(,[\w-]+)*$/.test(text)) return text.split(',');
    throw new Error(`takes comma-separated codes, not "${text}"`);
  },
};

function webAddress(text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new Error(`takes an http or https address, not "${text}"`);
}

function balancesOf(items: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    items.map((item) => {
      const [code = '', amount = ''] = item.split('=');
      const problem = balanceProblem(code, amount);
      if (problem !== undefined) throw new Error(`${problem}; it takes CUR=AMOUNT, e.g. USD=2500.00`);
      return [code, amount];
    }),
  );
}

/** Errors do not contain the values, which may be secrets. */
function headersOf(items: readonly string[]): Record<string, string> {
  const pairs = items.map((item) => {
    const index = item.indexOf('=');
    if (index < 1) throw new Error('takes NAME=VALUE, e.g. X-Hook-Secret=abc');
    return [item.slice(0, index), item.slice(index + 1)] as const;
  });
  const result = webhookHeaders.safeParse(Object.fromEntries(pairs));
  if (result.success) return result.data;
  throw new Error(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}
