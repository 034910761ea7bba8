import type { UserStatus } from '../account/user.ts';

/** One caller of the sandbox: its credentials, and what it does not share with the other callers. */
export interface SandboxAccount {
  readonly apiKey: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Initial balances, decimal strings by currency; absent means the sandbox's `balances`. */
  readonly balances?: Readonly<Record<string, string>> | undefined;
  readonly webhookUrl?: string | null | undefined;
  readonly webhookHeaders?: Readonly<Record<string, string>> | undefined;
  readonly limitPerSecond?: number | undefined;
  readonly limitPerDay?: number | undefined;
}

/** What a request that the sandbox answered looked like. It names no person, no account number, no secret. */
export interface RequestLine {
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly tookMs: number;
}

/** Everything about the sandbox that can be set. Durations are in milliseconds. */
export interface SandboxOptions {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  /** The address that upload URLs carry, when the sandbox is reached by another name than its own; null: its own. */
  readonly publicUrl: string | null;
  readonly seed: number;
  readonly accounts: readonly SandboxAccount[];
  /** Arrivals in any window of a second, per API key; 0 lifts the limit. */
  readonly limitPerSecond: number;
  /** Arrivals in a day of UTC, per API key; 0 lifts the limit. */
  readonly limitPerDay: number;
  readonly balances: Readonly<Record<string, string>>;
  readonly webhookUrl: string | null;
  readonly webhookHeaders: Readonly<Record<string, string>>;
  readonly quoteTtlMs: number;
  readonly uploadTtlMs: number;
  readonly tokenTtlMs: number;
  /** How long after its creation a payment can be funded. */
  readonly fundingWindowMs: number;
  /** A funded payment completes between these two. */
  readonly completionMinMs: number;
  readonly completionMaxMs: number;
  /** How long a payment to a beneficiary named SLOW takes. */
  readonly slowCompletionMs: number;
  /** How long the money of a payment that ended badly takes to come back; 0: at once. */
  readonly refundMs: number;
  /** Whether the refunds of payments that end badly are announced; those made at the control door always are. */
  readonly refundEvents: 'off' | 'on';
  /** Whether payments say why they ended badly when they were rejected or failed, or only when they failed. */
  readonly failureReason: 'both' | 'failed';
  /** How long the upload and download URLs of identity documents can be used. */
  readonly documentTtlMs: number;
  /** The status that a sign-up begins with. */
  readonly initialUserStatus: UserStatus;
  /** What a screening ends with, some seconds after it was asked for; `operator`: it waits for the control door. */
  readonly screeningOutcome: 'operator' | 'approved' | 'rejected' | 'documents_need_resubmission';
  /** What asking for a screening does while details are missing. */
  readonly screeningIncomplete: 'refuse' | 'unchanged';
  /** How users' dates are written: B `DD-MM-YYYY`, A `YYYY-MM-DD`, or as the caller likes. */
  readonly userDateFormat: 'B' | 'A' | 'either';
  /** `earlier`: fewer document types, no contentType and contentLength. */
  readonly documentsVariant: 'later' | 'earlier';
  /** How the status of a user's details is answered: with the missing fields, or its value alone. */
  readonly userDetailStatus: 'object' | 'string';
  /** How documents are uploaded to the addresses that were issued for them. */
  readonly documentUploadMethod: 'PUT' | 'POST';
  /**
   * How requirements are written: the kind of beneficiary itself and anchored patterns, or a pattern for the kind too
   * and none anchored. They mean the same.
   */
  readonly requirementForm: 'literal' | 'pattern';
  /** Whether sign-ups (v2) know a companyName. */
  readonly signupCompanyName: 'on' | 'off';
  /** Whether sign-ups (v2) answer the userId. */
  readonly signupUserId: 'returned' | 'omitted';
  /** How the addresses of documents are spelled: uploadUrl and downloadUrl, or uploadURL and downloadURL. */
  readonly documentUrlSpelling: 'Url' | 'URL';
  /** How the list of fundings spells the account. */
  readonly fundingAccountSpelling: 'accountId' | 'accountID';
  /** What a status filter of fundings does that is neither completed nor pending. */
  readonly fundingFilter: 'refuse' | 'ignore';
  readonly refundAmount: 'string' | 'number';
  readonly companyPostalCode: 'string' | 'number';
  /** Where a virtual account request is read; holds `:requestId`. */
  readonly virtualAccountRequestPath: string;
  /** The provider codes that virtual accounts can be asked of; none: any code. */
  readonly virtualAccountProviders: readonly string[];
  /** How long a new payment or conversion is not yet seen by find. */
  readonly findLagMs: number;
  /** The most that find returns, the newest; 0: all. */
  readonly findMost: number;
  readonly fileMostBytes: number;
  /** The storage provider's name in upload headers and signed queries. */
  readonly storagePrefix: string;
  /** Checklist ids of the operations that need no token. */
  readonly openOperations: readonly string[];
  /** `earlier`: quotes say nothing about documents, files are always required, OTH and OTHR need a description. */
  readonly paymentVariant: 'later' | 'earlier';
  /** Whether purposes outside the list are refused, the deprecated ones and OTH with them. */
  readonly strictPurpose: boolean;
  /**
   * How refusals, answers and notifications are written where the contract is silent: as the seed has it, or always in the
   * same words, order and form.
   */
  readonly answers: 'drawn' | 'plain';
  /** What creating a payment under a reference that exists does, when uniqueness is asked for. */
  readonly duplicateReference: 'refuse' | 'return' | 'create';
  /** What funding a payment again does that is being carried out; `charge` takes the money again. */
  readonly secondFunding: 'refuse' | 'same' | 'charge';
  /** Whether the callers are ultimate partners, whose quotes may carry `partner`. */
  readonly ultimatePartner: boolean;
  /** What a quote with `partner` does for callers that are no ultimate partners. */
  readonly partnerByOthers: 'ignore' | 'refuse';
  /** The status that says that there were too many requests; Retry-After goes with each. */
  readonly limitStatus: 403 | 429 | 503;
  /** When given, the clock stands there and moves only by the control call; null: it runs. */
  readonly standingAtMs: number | null;
  /** The time of day, milliseconds since 1970. */
  readonly wallNow: () => number;
  /** A monotonic time with a high resolution, milliseconds, by which arrivals are measured. */
  readonly monotonicNow: () => number;
  readonly log: ((line: RequestLine) => void) | null;
  /** The file that keeps the state from one start to the next; null: it is kept in memory alone. */
  readonly stateFile: string | null;
  /** Told, in a sentence for people, what they should know of the state file. */
  readonly report: ((line: string) => void) | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

export const defaultAccount: SandboxAccount = {
  apiKey: 'sandbox-api-key',
  accessKeyId: 'sandbox-access-key-id',
  secretAccessKey: 'sandbox-secret-access-key',
};

export const defaultOptions: SandboxOptions = {
  port: 0,
  host: '127.0.0.1',
  publicUrl: null,
  seed: 1,
  accounts: [defaultAccount],
  limitPerSecond: 5,
  limitPerDay: 432_000,
  balances: {
    USD: '5000000.00',
    EUR: '5000000.00',
    GBP: '5000000.00',
    SGD: '5000000.00',
    AUD: '5000000.00',
    CAD: '5000000.00',
    CHF: '5000000.00',
    HKD: '5000000.00',
    NZD: '5000000.00',
    JPY: '500000000',
    IDR: '50000000000.00',
  },
  webhookUrl: null,
  webhookHeaders: {},
  quoteTtlMs: 10 * minuteMs,
  uploadTtlMs: 5 * minuteMs,
  tokenTtlMs: 8 * hourMs,
  fundingWindowMs: 24 * hourMs,
  completionMinMs: 4000,
  completionMaxMs: 12_000,
  slowCompletionMs: minuteMs,
  refundMs: 0,
  refundEvents: 'on',
  failureReason: 'both',
  documentTtlMs: 5 * minuteMs,
  initialUserStatus: 'pending_phone',
  screeningOutcome: 'operator',
  screeningIncomplete: 'refuse',
  userDateFormat: 'B',
  userDetailStatus: 'object',
  documentUploadMethod: 'PUT',
  requirementForm: 'literal',
  documentsVariant: 'later',
  signupCompanyName: 'on',
  signupUserId: 'returned',
  documentUrlSpelling: 'Url',
  fundingAccountSpelling: 'accountId',
  fundingFilter: 'refuse',
  refundAmount: 'string',
  companyPostalCode: 'string',
  virtualAccountRequestPath: '/virtual-accounts/v1/requests/item/:requestId',
  virtualAccountProviders: [],
  findLagMs: 0,
  findMost: 0,
  fileMostBytes: 10_485_760,
  storagePrefix: 'sandbox',
  openOperations: [
    'auth-authenticate',
    'auth-signup-v1',
    'auth-forgot-password',
    'auth-signup-resend',
    'countries-list',
    'user-signup-v2',
  ],
  paymentVariant: 'later',
  strictPurpose: false,
  answers: 'drawn',
  duplicateReference: 'refuse',
  secondFunding: 'refuse',
  ultimatePartner: false,
  partnerByOthers: 'ignore',
  limitStatus: 429,
  standingAtMs: null,
  wallNow: Date.now,
  monotonicNow: () => performance.now(),
  log: null,
  stateFile: null,
  report: null,
};
