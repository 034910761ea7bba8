import { createApiCaller, type ExchangeLimits } from './calls/api-caller.ts';
import {
  createAuthenticate,
  createAuthenticationCalls,
  type AuthenticationCalls,
  type Credentials,
} from './calls/authentication.ts';
import { createAuthorizedCaller } from './calls/authorized-caller.ts';
import { type BalanceCalls, createBalanceCalls } from './treasury/balances.ts';
import { type BeneficiaryCalls, createBeneficiaryCalls } from './beneficiaries/beneficiaries.ts';
import type { DayFormat } from './calls/calendar-day-fields.ts';
import { type CompanyCalls, createCompanyCalls } from './onboarding/company.ts';
import { type ConversionCalls, createConversionCalls } from './treasury/conversions.ts';
import { createCurrencyCalls, type CurrencyCalls } from './treasury/currencies.ts';
import type { DocumentUploadStyle } from './onboarding/document-files.ts';
import { createDocumentCalls, type DocumentCalls } from './onboarding/documents.ts';
import { createFundingCalls, type FundingCalls } from './accounts/fundings.ts';
import { createRegistrationCalls, type RegistrationCalls } from './onboarding/registration.ts';
import { createRefundCalls, type RefundCalls } from './accounts/refunds.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { RateLimiter } from './rate-limiter/rate-limiter.ts';
import type { RequestObserver } from './calls/request-observer.ts';
import { createSession, type TokenStore } from './calls/session.ts';
import { createSimplePaymentCalls, type SimplePaymentCalls } from './payments/simple-payments.ts';
import { createStorageHosts } from './payment-file/storage-hosts.ts';
import { createTransport } from './calls/transport.ts';
import type { OnWarning } from './payment-file/upload-url.ts';
import { createUserCalls, type UserCalls } from './onboarding/users.ts';
import { createVirtualAccountCalls, type VirtualAccountCalls } from './accounts/virtual-accounts.ts';

/**
 * The client of one provider account, with a property for each area of the contract. Printing it shows no credential
 * and no token. Contract: account 4, payments 4.
 */
export interface ProviderClient {
  readonly account: string;
  readonly authentication: AuthenticationCalls;
  readonly registration: RegistrationCalls;
  readonly users: UserCalls;
  readonly company: CompanyCalls;
  readonly documents: DocumentCalls;
  readonly beneficiaries: BeneficiaryCalls;
  readonly currencies: CurrencyCalls;
  readonly simplePayments: SimplePaymentCalls;
  readonly conversions: ConversionCalls;
  readonly balances: BalanceCalls;
  readonly fundings: FundingCalls;
  readonly refunds: RefundCalls;
  readonly virtualAccounts: VirtualAccountCalls;
  /** Closes its connections. Finish its requests first: they would fail. */
  close(): void;
}

export interface ProviderClientOptions {
  account: string;
  /** Address of the API, with a path prefix if it has one. */
  baseUrl: string;
  credentials: Credentials;
  rateLimiter: RateLimiter;
  tokens: TokenStore;
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
  limits?: Partial<ExchangeLimits>;
  /**
   * The storage provider's name in the upload header, if it cannot be read from upload addresses. Contract: payments
   * 4.4.
   */
  storagePrefix?: string;
  /** The format of days in a user's details: `DD-MM-YYYY` if absent. Contract: account 2.4. */
  userDayFormat?: DayFormat;
  /** How the files of documents are uploaded, which the contract does not show. Contract: account 4.4. */
  documentUpload?: DocumentUploadStyle;
  /**
   * Path of a virtual account request, with `:requestId` in it. The contract gives none, so there is no default.
   * Contract: payments 4.6.
   */
  virtualAccountRequestPath?: string;
  /** Trusted certificate authorities of the provider and its storage, in PEM, instead of the default ones. */
  authorities?: string;
  /** The only hosts for files: names, `*.` in front for all subdomains. Absent: every public host. */
  uploadHosts?: readonly string[];
  /** What may be reached over plain HTTP outside this machine. */
  allowPlaintext?: readonly ('provider' | 'uploads')[];
  onWarning?: OnWarning;
  /** For metrics and traces. */
  observer?: RequestObserver | undefined;
}

const DEFAULT_LIMITS: ExchangeLimits = {
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  uploadTimeoutMs: 120_000,
  maxAnswerBytes: 32 * 1024 * 1024,
};

/** @throws RangeError, naming the option, when the address, a credential or a variant is invalid */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { account, credentials, rateLimiter, tokens, now, onWarning, storagePrefix, observer } = options;
  const base = checkedBase(account, options.baseUrl);
  checkCredentials(account, credentials);
  const allowed = options.allowPlaintext ?? [];
  if (base.protocol === 'http:' && !isLoopbackHost(base.hostname) && !allowed.includes('provider')) {
    throw new RangeError(`account ${account}: baseUrl: give an https address: credentials must not travel unencrypted`);
  }
  if (storagePrefix !== undefined && !/^[a-z0-9]+$/i.test(storagePrefix)) {
    throw new RangeError(`account ${account}: storagePrefix: give letters and digits, as in x-<word>-storage-class`);
  }
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const secrets = [credentials.apiKey, credentials.accessKeyId, credentials.secretAccessKey];
  const transport = createTransport({ authorities: options.authorities });
  const baseUrl = base.href.replace(/\/+$/, '');
  const { apiKey } = credentials;
  const caller = createApiCaller({ baseUrl, apiKey, secrets, rateLimiter, transport, limits, now, observer });
  const session = createSession({ account, tokens, now, authenticate: createAuthenticate(caller, credentials, now) });
  const api = createAuthorizedCaller(caller, session);
  const plaintextAllowed = allowed.includes('uploads');
  const hosts = createStorageHosts({ base, names: options.uploadHosts, plaintextAllowed });
  const storage = { transport, limits, hosts, secrets, now, onWarning, observer };
  return {
    account,
    authentication: createAuthenticationCalls(caller, session),
    registration: createRegistrationCalls(api),
    users: createUserCalls(api, options.userDayFormat ?? 'DD-MM-YYYY'),
    company: createCompanyCalls(api),
    documents: createDocumentCalls(api, { ...storage, style: options.documentUpload ?? {} }),
    beneficiaries: createBeneficiaryCalls(api),
    currencies: createCurrencyCalls(api),
    simplePayments: createSimplePaymentCalls(api, { ...storage, storagePrefix }),
    conversions: createConversionCalls(api),
    balances: createBalanceCalls(api),
    fundings: createFundingCalls(api),
    refunds: createRefundCalls(api),
    virtualAccounts: createVirtualAccountCalls(api, options.virtualAccountRequestPath),
    close: () => transport.close(),
  };
}

function checkedBase(account: string, baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const usable =
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === '';
  if (!usable) throw new RangeError(`account ${account}: baseUrl: give an http or https address without query or user`);
  return url;
}

function checkCredentials(account: string, credentials: Credentials): void {
  for (const name of ['apiKey', 'accessKeyId', 'secretAccessKey'] as const) {
    if (/^[\x21-\x7e]+$/.test(credentials[name])) continue;
    throw new RangeError(`account ${account}: ${name}: give it without spaces or line ends, as it was issued`);
  }
}
