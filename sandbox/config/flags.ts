import { defaultOptions, type SandboxOptions } from './defaults.ts';
import { switches } from '../faults/switches.ts';

type FlagGroup = 'Where it listens' | 'Callers and limits' | 'Time and completion' | 'Variants of the contract';

/** One flag of the sandbox's command line. `key` is the name in camelCase, as command-line parsers report it. */
export interface SandboxFlag {
  readonly name: string;
  readonly key: string;
  /** `none`: it stands alone. */
  readonly value: 'count' | 'text' | 'word' | 'file' | 'list' | 'CUR=AMOUNT' | 'NAME=VALUE' | 'none';
  /** May be given several times. */
  readonly repeatable: boolean;
  /** The default as it would be typed; null when there is none. */
  readonly default: string | null;
  readonly description: string;
  /** The heading that help shows it under. */
  readonly group: FlagGroup;
}

/** The options of a type: those that flags of one kind can set. */
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

/** The flags that are one whole number. */
export const countFlags: readonly FlagOf<Exclude<OptionOf<number>, 'limitStatus'>>[] = [
  { name: 'port', option: 'port', group: at, description: 'port to listen on; 0 takes a free one' },
  {
    name: 'seed',
    option: 'seed',
    group: time,
    description: 'seed of rates, delays, identifiers, faults and forms of answers',
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
  { name: 'quote-ttl-ms', option: 'quoteTtlMs', group: time, description: 'how long a quote can be used' },
  { name: 'upload-ttl-ms', option: 'uploadTtlMs', group: time, description: 'how long an upload URL can be used' },
  { name: 'document-ttl-ms', option: 'documentTtlMs', group: time, description: 'how long a document URL can be used' },
  { name: 'token-ttl-ms', option: 'tokenTtlMs', group: time, description: 'how long a token is valid' },
  {
    name: 'funding-window-ms',
    option: 'fundingWindowMs',
    group: time,
    description: 'how long after its creation a payment or conversion can be funded',
  },
  {
    name: 'completion-min-ms',
    option: 'completionMinMs',
    group: time,
    description: 'least time from funding to completion',
  },
  {
    name: 'completion-max-ms',
    option: 'completionMaxMs',
    group: time,
    description: 'most time from funding to completion',
  },
  {
    name: 'slow-completion-ms',
    option: 'slowCompletionMs',
    group: time,
    description: 'time from funding to completion for a beneficiary named SLOW',
  },
  {
    name: 'refund-ms',
    option: 'refundMs',
    group: time,
    description: 'how long the money of a failed payment takes to come back',
  },
  {
    name: 'find-lag-ms',
    option: 'findLagMs',
    group: time,
    description: 'how long find does not yet show a new payment or conversion',
  },
  {
    name: 'find-most',
    option: 'findMost',
    group: variants,
    description: 'the most payments or conversions that find returns; 0 returns all',
  },
  {
    name: 'file-most-bytes',
    option: 'fileMostBytes',
    group: variants,
    description: 'the largest file that can be uploaded',
  },
];

/** The flags that are text, each with a form of its own. */
export const textFlags: readonly FlagOf<
  'host' | 'publicUrl' | 'virtualAccountRequestPath' | 'webhookUrl' | 'storagePrefix' | 'stateFile'
>[] = [
  { name: 'host', option: 'host', group: at, description: 'address to listen on' },
  { name: 'public-url', option: 'publicUrl', group: at, description: 'address that upload URLs carry' },
  {
    name: 'state',
    option: 'stateFile',
    group: at,
    description: 'file that keeps the state from one start to the next',
  },
  { name: 'webhook-url', option: 'webhookUrl', group: callers, description: 'where notifications are sent' },
  {
    name: 'va-request-path',
    option: 'virtualAccountRequestPath',
    group: variants,
    description: 'where a virtual account request is read',
  },
  {
    name: 'storage-prefix',
    option: 'storagePrefix',
    group: variants,
    description: "the storage provider's name in upload headers and signed queries",
  },
];

/** The flags that are several words, with commas between them. */
export const listFlags: readonly FlagOf<'openOperations' | 'virtualAccountProviders'>[] = [
  {
    name: 'open-operations',
    option: 'openOperations',
    group: variants,
    description: 'ids of the operations that need no token, with commas between',
  },
  {
    name: 'va-providers',
    option: 'virtualAccountProviders',
    group: variants,
    description: 'the provider codes of virtual accounts, with commas between; absent: any',
  },
];

export const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const flag = (
  { name, group, description }: Pick<SandboxFlag, 'name' | 'group' | 'description'>,
  value: SandboxFlag['value'],
  usual: string | null,
  repeatable = false,
): SandboxFlag => ({ name, key: camelCase(name), value, repeatable, default: usual, description, group });

/** Every flag, for the command line and its help. */
export const sandboxFlags: readonly SandboxFlag[] = [
  ...countFlags.map((each) => flag(each, 'count', String(defaultOptions[each.option]))),
  ...textFlags.map((each) => flag(each, each.option === 'stateFile' ? 'file' : 'text', defaultOptions[each.option])),
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
    { name: 'webhook-header', group: callers, description: 'a header that goes with notifications, again and again' },
    'NAME=VALUE',
    null,
    true,
  ),
  flag(
    {
      name: 'plain',
      group: variants,
      description:
        'always the same words, order and form where the contract gives none; without it they are drawn from the seed',
    },
    'none',
    null,
  ),
  ...switches.map((each) => flag({ ...each, group: variants }, 'word', each.default)),
  ...listFlags.map((each) => flag(each, 'list', defaultOptions[each.option].join(',') || null)),
];
