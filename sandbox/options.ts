import Big from 'big.js';
import { currencies } from './market/currencies.ts';
import { defaultOptions, type SandboxOptions } from './defaults.ts';
import { switchedTo, switches } from './switches.ts';

export { defaultAccount, defaultOptions, type SandboxOptions } from './defaults.ts';

/** One flag of the sandbox's command line. `key` is the name in camelCase, as command-line parsers report it. */
export interface SandboxFlag {
  readonly name: string;
  readonly key: string;
  readonly value: 'count' | 'text' | 'CUR=AMOUNT';
  /** May be given several times. */
  readonly repeatable: boolean;
  /** The default as it would be typed; null when there is none. */
  readonly default: string | null;
  readonly description: string;
}

/** Flags as a command line parser leaves them, by `key`; the last one wins where a flag cannot be repeated. */
export type ParsedFlags = Readonly<Record<string, string | number | readonly string[] | undefined>>;

type CountOption = {
  [Key in keyof SandboxOptions]: SandboxOptions[Key] extends number ? Key : never;
}[keyof SandboxOptions];

/** The flags that are one whole number, and the option that each sets. */
const countFlags: readonly { name: string; option: CountOption; description: string }[] = [
  { name: 'port', option: 'port', description: 'port to listen on; 0 takes a free one' },
  { name: 'seed', option: 'seed', description: 'seed of rates, delays, identifiers and faults' },
  { name: 'limit', option: 'limitPerSecond', description: 'requests in any second per API key; 0 lifts the limit' },
  { name: 'daily-limit', option: 'limitPerDay', description: 'requests a day per API key; 0 lifts the limit' },
  { name: 'quote-ttl-ms', option: 'quoteTtlMs', description: 'how long a quote can be used' },
  { name: 'upload-ttl-ms', option: 'uploadTtlMs', description: 'how long an upload URL can be used' },
  { name: 'document-ttl-ms', option: 'documentTtlMs', description: 'how long a document URL can be used' },
  { name: 'token-ttl-ms', option: 'tokenTtlMs', description: 'how long a token is valid' },
  { name: 'completion-min-ms', option: 'completionMinMs', description: 'least time from funding to completion' },
  { name: 'completion-max-ms', option: 'completionMaxMs', description: 'most time from funding to completion' },
  { name: 'refund-ms', option: 'refundMs', description: 'how long the money of a failed payment takes to come back' },
  { name: 'find-lag-ms', option: 'findLagMs', description: 'how long find does not yet show a new payment' },
  { name: 'find-most', option: 'findMost', description: 'the most payments that find returns; 0 returns all' },
];

const textFlags: readonly {
  name: string;
  option: 'host' | 'webhookUrl' | 'publicUrl' | 'virtualAccountRequestPath';
  description: string;
}[] = [
  { name: 'host', option: 'host', description: 'address to listen on' },
  { name: 'public-url', option: 'publicUrl', description: 'address that upload URLs carry' },
  {
    name: 'va-request-path',
    option: 'virtualAccountRequestPath',
    description: 'where a virtual account request is read',
  },
  { name: 'webhook-url', option: 'webhookUrl', description: 'where notifications are sent' },
];

const camelCase = (name: string): string => name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Every flag, for the command line and its help. */
export const sandboxFlags: readonly SandboxFlag[] = [
  ...countFlags.map(
    ({ name, option, description }): SandboxFlag => ({
      name,
      key: camelCase(name),
      value: 'count',
      repeatable: false,
      default: String(defaultOptions[option]),
      description,
    }),
  ),
  ...textFlags.map(
    ({ name, option, description }): SandboxFlag => ({
      name,
      key: camelCase(name),
      value: 'text',
      repeatable: false,
      default: defaultOptions[option],
      description,
    }),
  ),
  ...switches.map(
    ({ name, description, default: usual }): SandboxFlag => ({
      name,
      key: camelCase(name),
      value: 'text',
      repeatable: false,
      default: usual,
      description,
    }),
  ),
  {
    name: 'balance',
    key: 'balance',
    value: 'CUR=AMOUNT',
    repeatable: true,
    default: null,
    description: 'initial balance of a currency, e.g. USD=2500.00; others keep their default',
  },
];

/**
 * Turns parsed flags into options; what no flag sets keeps its default.
 * @throws Error that names the flag and says what it takes
 */
export function optionsFromFlags(flags: ParsedFlags): SandboxOptions {
  const known = new Set(sandboxFlags.map(({ key }) => key));
  const unknown = Object.keys(flags).find((key) => flags[key] !== undefined && !known.has(key));
  if (unknown !== undefined) throw new Error(`${unknown}: the sandbox has no such flag`);
  const changed: Record<string, unknown> = {};
  for (const { name, option } of countFlags) {
    const text = lastOf(flags[camelCase(name)]);
    if (text !== undefined) changed[option] = count(name, text);
  }
  for (const { name, option } of textFlags) {
    const text = lastOf(flags[camelCase(name)]);
    if (text !== undefined) changed[option] = textValue(name, text);
  }
  for (const each of switches) {
    const text = lastOf(flags[camelCase(each.name)]);
    if (text !== undefined) changed[each.option] = switchedTo(each, text);
  }
  const options: SandboxOptions = {
    ...defaultOptions,
    ...changed,
    balances: { ...defaultOptions.balances, ...balancesOf(flags['balance']) },
  };
  if (options.completionMinMs > options.completionMaxMs) {
    throw new Error('--completion-min-ms: must not be more than --completion-max-ms');
  }
  return options;
}

const lastOf = (value: ParsedFlags[string]): string | undefined =>
  typeof value === 'object' ? value.at(-1) : value === undefined ? undefined : String(value);

function count(name: string, text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new Error(`--${name}: takes a whole number, not "${text}"`);
}

function textValue(name: string, text: string): string {
  if (name === 'va-request-path') return requestPath(name, text);
  return name.endsWith('url') ? webAddress(name, text) : text;
}

function requestPath(name: string, text: string): string {
  if (/^\/[\w/-]*:requestId(\/[\w/-]*)?$/.test(text)) return text;
  throw new Error(`--${name}: takes a path with :requestId, not "${text}"`);
}

function webAddress(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:/.test(text)) return text;
  throw new Error(`--${name}: takes an http or https address, not "${text}"`);
}

function balancesOf(value: ParsedFlags[string]): Record<string, string> {
  const items = value === undefined ? [] : typeof value === 'object' ? value : [String(value)];
  return Object.fromEntries(
    items.map((item) => {
      const [code = '', amount = ''] = item.split('=');
      const currency = currencies.get(code);
      if (!currency || !/^\d{1,15}(\.\d+)?$/.test(amount)) {
        throw new Error(`--balance: takes CUR=AMOUNT with a supported currency, e.g. USD=2500.00, not "${item}"`);
      }
      if (new Big(amount).round(currency.decimalPlaces).cmp(amount) !== 0) {
        throw new Error(`--balance: ${code} has ${currency.decimalPlaces} decimal places, "${item}" has more`);
      }
      return [code, amount];
    }),
  );
}
