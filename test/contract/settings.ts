import type { ProviderClientOptions } from '../../provider/client.ts';
import { defaultOptions, type SandboxOptions } from '../../sandbox/config/options.ts';
import { resolvedOptions } from '../../sandbox/config/resolved-options.ts';
import { type Switch, switchValue, switches } from '../../sandbox/config/switches.ts';

/** A switch of the sandbox or an option of the client. */
export interface Setting {
  readonly name: string;
  readonly values: readonly string[];
  readonly default: string;
  /** The options for a value, on either side. */
  readonly sandbox: (value: string) => Partial<SandboxOptions>;
  readonly client: (value: string) => Partial<ProviderClientOptions>;
}

/** A value for every setting. */
export type SettingValues = ReadonlyMap<string, string>;

const nothing = (): Record<string, never> => ({});

/** The word of a switch for what the seed draws, or with plain answers for its only value. */
const SEEDED = 'seeded';

const ofSwitch = (each: Switch): Setting => ({
  name: each.name,
  values: [...each.choices.keys()].filter((word) => word !== SEEDED),
  default: each.default,
  sandbox: (value) => ({ [each.option]: switchValue(each, value) }),
  client: nothing,
});

export const OTHER_REQUEST_PATH = '/virtual-accounts/v1/requests/:requestId';
const DEFAULT_REQUEST_PATH = '/virtual-accounts/v1/requests/item/:requestId';

/** Options of the client, and flags of the sandbox that take any text. */
const furtherSettings: readonly Setting[] = [
  {
    // The sandbox draws its answers by default; exact texts are checked with plain answers.
    name: 'answers',
    values: ['plain', 'seeded'],
    default: 'plain',
    sandbox: (value) => ({ answers: value === 'seeded' ? value : 'plain' }),
    client: nothing,
  },
  {
    name: 'client-day-form',
    values: ['DD-MM-YYYY', 'YYYY-MM-DD'],
    default: 'DD-MM-YYYY',
    sandbox: nothing,
    client: (value) => ({ userDayFormat: value === 'YYYY-MM-DD' ? value : 'DD-MM-YYYY' }),
  },
  {
    name: 'client-document-upload',
    values: ['PUT', 'POST'],
    default: 'PUT',
    sandbox: nothing,
    client: (value) => ({ documentUpload: { method: value === 'POST' ? value : 'PUT' } }),
  },
  {
    name: 'storage-prefix',
    values: ['sandbox', 'abc'],
    default: 'sandbox',
    sandbox: (value) => ({ storagePrefix: value }),
    client: nothing,
  },
  {
    name: 'client-storage-prefix',
    values: ['from-the-address', 'abc'],
    default: 'from-the-address',
    sandbox: nothing,
    client: (value) => (value === 'abc' ? { storagePrefix: value } : {}),
  },
  {
    name: 'va-request-path',
    values: [DEFAULT_REQUEST_PATH, OTHER_REQUEST_PATH],
    default: DEFAULT_REQUEST_PATH,
    sandbox: (value) => ({ virtualAccountRequestPath: value }),
    client: nothing,
  },
  {
    name: 'client-va-request-path',
    values: [DEFAULT_REQUEST_PATH, OTHER_REQUEST_PATH, 'none'],
    default: DEFAULT_REQUEST_PATH,
    sandbox: nothing,
    client: (value) => (value === 'none' ? {} : { virtualAccountRequestPath: value }),
  },
];

export const settings: readonly Setting[] = [...switches.map(ofSwitch), ...furtherSettings];

/** The default of a switch may be a word that is none of its values: `seeded`. */
export const defaultValues: SettingValues = new Map(settings.map((setting) => [setting.name, setting.default]));

/** The earlier variant wherever the contract has two; the defaults for the rest. */
export const earlierValues: SettingValues = new Map([
  ...defaultValues,
  ['user-date-format', 'YYYY-MM-DD'],
  ['client-day-form', 'YYYY-MM-DD'],
  ['documents-variant', 'earlier'],
  ['payment-variant', 'earlier'],
  ['signup-company-name', 'off'],
  ['signup-user-id', 'omitted'],
  ['document-url-spelling', 'URL'],
  ['funding-account-spelling', 'accountID'],
  ['refund-amount', 'number'],
  ['company-postal-code', 'number'],
]);

/** The last value of every setting but one: a combination far from the defaults, in case areas affect each other after all. */
export const lastValues: SettingValues = new Map([
  ...settings.map((setting) => [setting.name, setting.values.at(-1) ?? ''] as const),
  // A sign-up is not notified, so that its answer has to have the id.
  ['signup-user-id', 'returned'],
]);

/**
 * Every combination of the values of these settings, with defaults for the others. @throws Error for an unknown setting
 */
export function combinationsOf(names: readonly string[]): SettingValues[] {
  let combinations: SettingValues[] = [defaultValues];
  for (const name of names) {
    const setting = settings.find((candidate) => candidate.name === name);
    if (setting === undefined)
      throw new Error(`${name}: is neither a switch of the sandbox nor an option of the client`);
    combinations = combinations.flatMap((values) => setting.values.map((value) => new Map([...values, [name, value]])));
  }
  return combinations;
}

export const sandboxOptionsOf = (values: SettingValues): Partial<SandboxOptions> =>
  Object.assign({}, ...settings.map(({ name, sandbox }) => sandbox(values.get(name) ?? ''))) as Partial<SandboxOptions>;

export const clientOptionsOf = (values: SettingValues): Partial<ProviderClientOptions> =>
  Object.assign(
    {},
    ...settings.map(({ name, client }) => client(values.get(name) ?? '')),
  ) as Partial<ProviderClientOptions>;

/** The values with which a sandbox runs: what is seeded has the value that the seed, or plain answers, give it. */
export function resolvedValues(values: SettingValues, seed: number): SettingValues {
  const resolved = resolvedOptions({ ...defaultOptions, ...sandboxOptionsOf(values), seed });
  const wordOf = ({ choices, option }: Switch): string =>
    [...choices].find(([, value]) => value === resolved[option])?.[0] ?? '';
  const seeded = switches.filter(({ name }) => values.get(name) === SEEDED);
  return new Map([...values, ...seeded.map((each) => [each.name, wordOf(each)] as const)]);
}
