import type { ProviderClientOptions } from '../../provider/client.ts';
import type { SandboxOptions } from '../../sandbox/config/defaults.ts';
import { type Switch, switchedTo, switches } from '../../sandbox/faults/switches.ts';

/** Something that can be set one way or another: a switch of the sandbox, or an option of the client. */
export interface Setting {
  readonly name: string;
  readonly words: readonly string[];
  readonly default: string;
  /** What the setting does, on either side. */
  readonly sandbox: (word: string) => Partial<SandboxOptions>;
  readonly client: (word: string) => Partial<ProviderClientOptions>;
}

/** A word for every setting. */
export type Words = ReadonlyMap<string, string>;

const nothing = (): Record<string, never> => ({});

const ofSwitch = (each: Switch): Setting => ({
  name: each.name,
  words: [...each.choices.keys()],
  default: each.default,
  sandbox: (word) => ({ [each.option]: switchedTo(each, word) }),
  client: nothing,
});

export const OTHER_REQUEST_PATH = '/virtual-accounts/v1/requests/:requestId';
const DEFAULT_REQUEST_PATH = '/virtual-accounts/v1/requests/item/:requestId';

/** What is no switch of words: options of the client, and flags of the sandbox that take any text. */
const furtherSettings: readonly Setting[] = [
  {
    // Drawn by default; what is checked to the letter is checked of plain ones.
    name: 'answers',
    words: ['plain', 'drawn'],
    default: 'plain',
    sandbox: (word) => ({ answers: word === 'drawn' ? word : 'plain' }),
    client: nothing,
  },
  {
    name: 'client-day-form',
    words: ['DD-MM-YYYY', 'YYYY-MM-DD'],
    default: 'DD-MM-YYYY',
    sandbox: nothing,
    client: (word) => ({ userDayForm: word === 'YYYY-MM-DD' ? word : 'DD-MM-YYYY' }),
  },
  {
    name: 'client-document-upload',
    words: ['PUT', 'POST'],
    default: 'PUT',
    sandbox: nothing,
    client: (word) => ({ documentUpload: { method: word === 'POST' ? word : 'PUT' } }),
  },
  {
    name: 'storage-prefix',
    words: ['sandbox', 'abc'],
    default: 'sandbox',
    sandbox: (word) => ({ storagePrefix: word }),
    client: nothing,
  },
  {
    name: 'client-storage-prefix',
    words: ['from-the-address', 'abc'],
    default: 'from-the-address',
    sandbox: nothing,
    client: (word) => (word === 'abc' ? { storagePrefix: word } : {}),
  },
  {
    name: 'va-request-path',
    words: [DEFAULT_REQUEST_PATH, OTHER_REQUEST_PATH],
    default: DEFAULT_REQUEST_PATH,
    sandbox: (word) => ({ virtualAccountRequestPath: word }),
    client: nothing,
  },
  {
    name: 'client-va-request-path',
    words: [DEFAULT_REQUEST_PATH, OTHER_REQUEST_PATH, 'none'],
    default: DEFAULT_REQUEST_PATH,
    sandbox: nothing,
    client: (word) => (word === 'none' ? {} : { virtualAccountRequestPath: word }),
  },
];

export const settings: readonly Setting[] = [...switches.map(ofSwitch), ...furtherSettings];

export const allDefault: Words = new Map(settings.map((setting) => [setting.name, setting.default]));

/** The older reading wherever the contract has two; the rest as by default. */
export const allEarlier: Words = new Map([
  ...allDefault,
  ['user-date-format', 'A'],
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

/** The last word of every setting: where areas do meet after all, they do so far from what is usual. */
export const allOther: Words = new Map(settings.map((setting) => [setting.name, setting.words.at(-1) ?? '']));

/** Every combination of the words of these settings, the others by default. @throws Error for an unknown setting */
export function combinationsOf(names: readonly string[]): Words[] {
  let combinations: Words[] = [allDefault];
  for (const name of names) {
    const setting = settings.find((candidate) => candidate.name === name);
    if (setting === undefined) throw new Error(`${name}: is no switch of the sandbox and no option of the client`);
    combinations = combinations.flatMap((words) => setting.words.map((word) => new Map([...words, [name, word]])));
  }
  return combinations;
}

export const sandboxOptionsOf = (words: Words): Partial<SandboxOptions> =>
  Object.assign({}, ...settings.map(({ name, sandbox }) => sandbox(words.get(name) ?? ''))) as Partial<SandboxOptions>;

export const clientOptionsOf = (words: Words): Partial<ProviderClientOptions> =>
  Object.assign(
    {},
    ...settings.map(({ name, client }) => client(words.get(name) ?? '')),
  ) as Partial<ProviderClientOptions>;
