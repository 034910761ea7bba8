import { defaultOptions, type SandboxOptions } from './options.ts';
import { switches } from './switches.ts';

type FlagGroup = 'Where it listens' | 'Callers and limits' | 'Time and completion' | 'Variants of the contract';

/** One flag of the sandbox's command line. `key` is the name in camelCase, as command-line parsers report it. */
export interface SandboxFlag {
  readonly name: string;
  readonly key: string;
  /** `none`: the flag has no value. */
  readonly value: 'count' | 'text' | 'word' | 'file' | 'list' | 'CUR=AMOUNT' | 'NAME=VALUE' | 'none';
  /** Whether it may be given several times. */
  readonly repeatable: boolean;
  /** The default as it would be typed; null when there is none. */
  readonly default: string | null;
  readonly description: string;
  /** Its heading in the help. */
  readonly group: FlagGroup;
}

/** The options whose values have this type. */
type OptionOf<Value> = {
  [Key in keyof SandboxOptions]: SandboxOptions[Key] extends Value ? Key : never;
}[keyof SandboxOptions];

interface FlagOf<Option> {
  readonly name: string;
  readonly option: Option;
  readonly group: FlagGroup;
  readonly description: string;
}

const at = 'Where it listens';
const callers = 'Callers and limits';
const time = 'Time and completion';
const variants = 'Variants of the contract';

/** The flags whose value is a whole number. */
export const countFlags: readonly FlagOf<Exclude<OptionOf<number>, 'limitStatus'>>[] = [
  { name: 'port', option: 'port', group: at, description: 'port to listen on; 0 takes a free one' },
  {
    name: 'seed',
    option: 'seed',
    group: time,
    description: 'seed of rates, delays, identifiers, faults and answer forms',
  },
  {
    name: 'limit',
    option: 'limitPerSecond',
    group: callers,
    description: 'requests in any second per API key; 0 lifts the limit',
  },
  {
    name: 'daily-limit',
    option: 'limitPerDay',
    group: callers,
    description: 'requests a day per API key; 0 lifts the limit',
  },
  { name: 'quote-ttl-ms', option: 'quoteTtlMs', group: time, description: 'how long a quote is valid' },
  { name: 'upload-ttl-ms', option: 'uploadTtlMs', group: time, description: 'how long an upload URL is valid' },
  { name: 'document-ttl-ms', option: 'documentTtlMs', group: time, description: 'how long a document URL is valid' },
  { name: 'token-ttl-ms', option: 'tokenTtlMs', group: time, description: 'how long a token is valid' },
  {
    name: 'funding-deadline-ms',
    option: 'fundingDeadlineMs',
    group: time,
    description: 'how long after its creation a payment or conversion can be funded',
  },
  {
    name: 'clock-behind-ms',
    option: 'clockBehindMs',
    group: time,
    description: 'how far the clock is behind at the start; `POST /__sandbox/clock` moves it forward',
  },
  {
    name: 'completion-min-ms',
    option: 'completionMinMs',
    group: time,
    description: 'minimum time from funding to completion, and from a screening to its outcome',
  },
  {
    name: 'completion-max-ms',
    option: 'completionMaxMs',
    group: time,
    description: 'maximum time from funding to completion, and from a screening to its outcome',
  },
  {
    name: 'slow-completion-ms',
    option: 'slowCompletionMs',
    group: time,
    description: 'the same time for a beneficiary, or a user, named SLOW',
  },
  {
    name: 'refund-ms',
    option: 'refundMs',
    group: time,
    description: 'time until the refund of a failed payment',
  },
  {
    name: 'find-lag-ms',
    option: 'findLagMs',
    group: time,
    description: 'how long find does not return a new payment or conversion',
  },
  {
    name: 'user-lag-ms',
    option: 'userLagMs',
    group: time,
    description: 'how long reading a user or a company does not show a change',
  },
  {
    name: 'max-find-results',
    option: 'maxFindResults',
    group: variants,
    description: 'maximum number of payments or conversions that find returns; 0 returns all',
  },
  {
    name: 'max-file-bytes',
    option: 'maxFileBytes',
    group: variants,
    description: 'maximum size of an uploaded file',
  },
];

/** The flags whose value is a text, each with its own format. */
export const textFlags: readonly FlagOf<
  'host' | 'publicUrl' | 'virtualAccountRequestPath' | 'webhookUrl' | 'storagePrefix' | 'stateFile'
>[] = [
  { name: 'host', option: 'host', group: at, description: 'address to listen on' },
  { name: 'public-url', option: 'publicUrl', group: at, description: 'base address of upload URLs' },
  {
    name: 'state',
    option: 'stateFile',
    group: at,
    description: 'file that keeps the state between starts',
  },
  { name: 'webhook-url', option: 'webhookUrl', group: callers, description: 'address of notifications' },
  {
    name: 'va-request-path',
    option: 'virtualAccountRequestPath',
    group: variants,
    description: 'path for reading a virtual account request',
  },
  {
    name: 'storage-prefix',
    option: 'storagePrefix',
    group: variants,
    description: "the storage provider's name in upload headers and signed queries",
  },
];

/** The flags whose value is a comma-separated list. */
export const listFlags: readonly FlagOf<'openOperations' | 'virtualAccountProviders'>[] = [
  {
    name: 'open-operations',
    option: 'openOperations',
    group: variants,
    description: 'ids of the operations that need no token, comma-separated',
  },
  {
    name: 'va-providers',
    option: 'virtualAccountProviders',
    group: variants,
    description: 'provider codes of virtual accounts, comma-separated; absent: any',
  },
];

export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const flag = (
  { name, group, description }: Pick<SandboxFlag, 'name' | 'group' | 'description'>,
  value: SandboxFlag['value'],
  defaultValue: string | null,
  repeatable = false,
): SandboxFlag => ({ name, key: camelCase(name), value, repeatable, default: defaultValue, description, group });

/** Every flag, for the command line and its help. */
export const sandboxFlags: readonly SandboxFlag[] = [
  ...countFlags.map((entry) => flag(entry, 'count', String(defaultOptions[entry.option]))),
  ...textFlags.map((entry) =>
    flag(entry, entry.option === 'stateFile' ? 'file' : 'text', defaultOptions[entry.option]),
  ),
  flag(
    { name: 'accounts', group: callers, description: 'JSON file with the callers: keys, balances, webhooks, limits' },
    'file',
    null,
  ),
  flag(
    {
      name: 'balance',
      group: callers,
      description: 'initial balance of a currency, e.g. USD=2500.00; others keep their default',
    },
    'CUR=AMOUNT',
    null,
    true,
  ),
  flag(
    { name: 'webhook-header', group: callers, description: 'a header of notifications; may be repeated' },
    'NAME=VALUE',
    null,
    true,
  ),
  flag(
    {
      name: 'plain',
      group: variants,
      description:
        'fixed wording, order and form where the contract defines none; otherwise they are varied by the seed',
    },
    'none',
    null,
  ),
  ...switches.map((entry) => flag({ ...entry, group: variants }, 'word', entry.default)),
  ...listFlags.map((entry) => flag(entry, 'list', defaultOptions[entry.option].join(',') || null)),
];
