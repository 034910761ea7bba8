import { storageOperations, uploadOperations } from '../documents/storage-operations.ts';

/** The settings of a fault, except when it is injected; each kind has some of them. */
export interface FaultSettings {
  readonly delayMs: number;
  /** The status of the answer. */
  readonly status: number;
  /** The answer's `Retry-After`; null: none. */
  readonly retryAfterSeconds: number | null;
  /** The maximum number of results of find. */
  readonly maxResults: number;
}

interface FaultKindDefinition {
  readonly kind: string;
  readonly target: 'request' | 'webhook';
  readonly description: string;
  /** The settings that the kind has, with their defaults. */
  readonly settings?: Partial<FaultSettings>;
  /** The only operations to which it applies, or those to which it does not; absent: it applies to every operation. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** It applies only to operations that need a token. */
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
    description: 'an error is answered, although it was done',
    settings: { status: 502, retryAfterSeconds: null },
  },
  {
    kind: 'error_html_before',
    description: "a proxy's error page (HTML) is answered, and nothing was done",
    settings: { status: 502, retryAfterSeconds: null },
  },
  {
    kind: 'error_html_after',
    description: "a proxy's error page (HTML) is answered, although it was done",
    settings: { status: 504, retryAfterSeconds: null },
  },
  {
    kind: 'rate_limited',
    description: '429 is answered, and nothing was done',
    settings: { retryAfterSeconds: 1 },
  },
  { kind: 'reset_before', description: 'the connection is reset, and nothing was done' },
  { kind: 'reset_after', description: 'the connection is reset, although it was done' },
  { kind: 'slow', description: 'delayMs pass before it is done', settings: { delayMs: 1000 } },
  { kind: 'slow_after', description: 'delayMs pass between doing and answering', settings: { delayMs: 1000 } },
  {
    kind: 'garbled_after',
    description: 'it was done, and half of the answer is sent as if it were complete',
    except: uploadOperations,
  },
  { kind: 'cut_after', description: 'it was done, and the connection ends in the middle of the answer' },
  { kind: 'not_json_after', description: 'it was done, and an HTML page is answered with status 200' },
  { kind: 'empty_after', description: 'it was done, and 200 is answered without a body', except: uploadOperations },
  {
    kind: 'token_dies',
    description: 'the token of the request is revoked before it is checked: 401',
    except: storageOperations,
    needsToken: true,
  },
  { kind: 'quote_dies', description: 'the quote of the request expires early', only: creations },
  {
    kind: 'find_lags',
    description: 'entries created within the last delayMs are not found',
    settings: { delayMs: 1000 },
    only: finds,
  },
  {
    kind: 'find_capped',
    description: 'only the newest are found, at most as many as maxResults',
    settings: { maxResults: 1 },
    only: finds,
  },
] as const;

const webhookKinds = [
  { kind: 'webhook_drop', description: 'a notification is lost' },
  { kind: 'webhook_duplicate', description: 'a notification is sent twice' },
  { kind: 'webhook_delay', description: 'a notification is sent delayMs late', settings: { delayMs: 1000 } },
  {
    kind: 'webhook_reorder',
    description: 'a notification is held back until the next one is sent, for delayMs at most',
    settings: { delayMs: 10_000 },
  },
  {
    kind: 'webhook_forge',
    description: 'a forged notification with a successful final status is sent as well, without the configured headers',
  },
] as const;

export type FaultKind = (typeof requestKinds)[number]['kind'] | (typeof webhookKinds)[number]['kind'];

/** Every kind of fault. */
export const faultKinds: readonly (FaultKindDefinition & { readonly kind: FaultKind })[] = [
  ...requestKinds.map((each) => ({ ...each, target: 'request' as const })),
  ...webhookKinds.map((each) => ({ ...each, target: 'webhook' as const })),
];

const byKind: ReadonlyMap<FaultKind, FaultKindDefinition> = new Map(faultKinds.map((entry) => [entry.kind, entry]));

/** @throws Error for a kind that is not in the table */
export function faultKind(kind: FaultKind): FaultKindDefinition {
  const entry = byKind.get(kind);
  if (!entry) throw new Error(`${kind}: no such kind of fault`);
  return entry;
}

/** Whether a kind can be injected into an operation. `openOperations` are those that need no token. */
export function appliesTo(kind: FaultKind, operation: string, openOperations: readonly string[]): boolean {
  const { target, only, except, needsToken } = faultKind(kind);
  if ((target === 'webhook') !== (operation === 'webhook')) return false;
  if (needsToken && openOperations.includes(operation)) return false;
  return only ? only.includes(operation) : !except?.includes(operation);
}
