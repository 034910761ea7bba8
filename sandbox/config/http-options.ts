/** A request that the sandbox answered. It contains no person, no account number and no secret. */
export interface RequestLine {
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly tookMs: number;
}

/** Where the sandbox listens, and how it answers over HTTP. */
export interface HttpOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  /** The base address of upload URLs when the sandbox is reached by a name other than its own; null: its own. */
  readonly publicUrl: string | null;
  /** Checklist ids of the operations that need no token. */
  readonly openOperations: readonly string[];
  /** The status for too many requests; Retry-After is sent with each. */
  readonly limitStatus: 403 | 429 | 503;
  readonly maxFileBytes: number;
  /** The storage provider's name in upload headers and signed queries. */
  readonly storagePrefix: string;
  /**
   * How refusals, answers and notifications are written where the contract is silent: varied by the seed, or always
   * with the same words, order and form.
   */
  readonly answers: 'seeded' | 'plain';
  readonly log: ((line: RequestLine) => void) | null;
}

export const defaultHttpOptions: HttpOptions = {
  port: 0,
  host: '127.0.0.1',
  publicUrl: null,
  openOperations: [
    'auth-authenticate',
    'auth-signup-v1',
    'auth-forgot-password',
    'auth-signup-resend',
    'countries-list',
    'user-signup-v2',
  ],
  limitStatus: 429,
  maxFileBytes: 10_485_760,
  storagePrefix: 'sandbox',
  answers: 'seeded',
  log: null,
};
