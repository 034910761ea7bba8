import { storageOperations, uploadOperations } from './storage-operations.ts';

/** What can be set about a fault beside when it strikes; a kind takes some of it. */
export interface FaultSettings {
  readonly delayMs: number;
  /** The status that is answered instead. */
  readonly status: number;
  /** The answer's `Retry-After`; null: none. */
  readonly retryAfterSeconds: number | null;
  /** How many find shows. */
  readonly most: number;
}

interface FaultKindEntry {
  readonly kind: string;
  readonly strikes: 'request' | 'webhook';
  readonly description: string;
  /** What the kind takes, and what it is when the order does not say. */
  readonly settings?: Partial<FaultSettings>;
  /** The only operations that it goes with, or those that it does not go with; absent: it goes with every one. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** It goes only with operations that need a token. */
  readonly needsToken?: boolean;
}

const creations = ['simple-payment-create', 'conversion-create'];
const finds = ['simple-payment-find', 'conversion-find'];

const requestKinds = [
  {
    kind: 'error_before',
    description: 'an error is answered, and nothing was done',
    settings: { status: 503, retryAfterSeconds: null },
  },
  {
    kind: 'error_after',
    description: 'an error is answered, and yet it was done',
    settings: { status: 502, retryAfterSeconds: null },
  },
  {
    kind: 'error_html_before',
    description: "a proxy's error page (HTML) is answered, and nothing was done",
    settings: { status: 502, retryAfterSeconds: null },
  },
  {
    kind: 'error_html_after',
    description: "a proxy's error page (HTML) is answered, and yet it was done",
    settings: { status: 504, retryAfterSeconds: null },
  },
  {
    kind: 'rate_limited',
    description: '429 is answered, and nothing was done',
    settings: { retryAfterSeconds: 1 },
  },
  { kind: 'reset_before', description: 'the connection is reset, and nothing was done' },
  { kind: 'reset_after', description: 'the connection is reset, and yet it was done' },
  { kind: 'slow', description: 'delayMs pass before it is done', settings: { delayMs: 1000 } },
  { kind: 'slow_after', description: 'delayMs pass between doing and answering', settings: { delayMs: 1000 } },
  {
    kind: 'garbled_after',
    description: 'it was done, and half of the answer is sent as if it were the whole',
    except: uploadOperations,
  },
  { kind: 'cut_after', description: 'it was done, and the connection ends in the middle of the answer' },
  { kind: 'not_json_after', description: 'it was done, and a page of HTML is answered with status 200' },
  { kind: 'empty_after', description: 'it was done, and 200 is answered without a body', except: uploadOperations },
  {
    kind: 'token_dies',
    description: 'the token that the request carries is ended before it is judged: 401',
    except: storageOperations,
    needsToken: true,
  },
  { kind: 'quote_dies', description: 'the quote that is named has expired early', only: creations },
  {
    kind: 'find_lags',
    description: 'what was created within the last delayMs is not found',
    settings: { delayMs: 1000 },
    only: finds,
  },
  {
    kind: 'find_capped',
    description: 'only the newest are found, so many as most says',
    settings: { most: 1 },
    only: finds,
  },
] as const;

const webhookKinds = [
  { kind: 'webhook_drop', description: 'a notification is lost' },
  { kind: 'webhook_duplicate', description: 'a notification is sent twice' },
  { kind: 'webhook_delay', description: 'a notification is sent delayMs late', settings: { delayMs: 1000 } },
  {
    kind: 'webhook_reorder',
    description: 'a notification is held back until the next one has passed, for delayMs at the most',
    settings: { delayMs: 10_000 },
  },
  {
    kind: 'webhook_forge',
    description: 'beside the notification a forged one is sent, of a good end and without the configured headers',
  },
] as const;

export type FaultKind = (typeof requestKinds)[number]['kind'] | (typeof webhookKinds)[number]['kind'];

/** Every kind of fault, for the checks of orders, for lists and for people. */
export const faultKinds: readonly (FaultKindEntry & { readonly kind: FaultKind })[] = [
  ...requestKinds.map((each) => ({ ...each, strikes: 'request' as const })),
  ...webhookKinds.map((each) => ({ ...each, strikes: 'webhook' as const })),
];

const byKind: ReadonlyMap<FaultKind, FaultKindEntry> = new Map(faultKinds.map((entry) => [entry.kind, entry]));

/** What is known of a kind. @throws Error for a kind that is not in the table */
export function faultKind(kind: FaultKind): FaultKindEntry {
  const entry = byKind.get(kind);
  if (!entry) throw new Error(`${kind}: no such kind of fault`);
  return entry;
}

/** Whether a kind can strike an operation at all. `openOperations` are those that need no token. */
export function goesWith(kind: FaultKind, operation: string, openOperations: readonly string[]): boolean {
  const { strikes, only, except, needsToken } = faultKind(kind);
  if ((strikes === 'webhook') !== (operation === 'webhook')) return false;
  if (needsToken && openOperations.includes(operation)) return false;
  return only ? only.includes(operation) : !except?.includes(operation);
}
