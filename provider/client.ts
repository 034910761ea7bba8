import { createApiCaller, type ExchangeLimits } from './calls/api-caller.ts';
import {
  createAuthenticate,
  createAuthenticationCalls,
  type AuthenticationCalls,
  type Credentials,
} from './calls/authentication.ts';
import { createAuthorisedCaller } from './calls/authorised-caller.ts';
import { type BalanceCalls, createBalanceCalls } from './treasury/balances.ts';
import { type BeneficiaryCalls, createBeneficiaryCalls } from './beneficiaries/beneficiaries.ts';
import type { DayForm } from './calls/calendar-days.ts';
import { type CompanyCalls, createCompanyCalls } from './onboarding/company.ts';
import { type ConversionCalls, createConversionCalls } from './treasury/conversions.ts';
import { createCurrencyCalls, type CurrencyCalls } from './treasury/currencies.ts';
import type { DocumentUploadStyle } from './onboarding/document-files.ts';
import { createDocumentCalls, type DocumentCalls } from './onboarding/documents.ts';
import { createFundingCalls, type FundingCalls } from './accounts/fundings.ts';
import { createRegistrationCalls, type RegistrationCalls } from './onboarding/registration.ts';
import { createRefundCalls, type RefundCalls } from './accounts/refunds.ts';
import { isLoopbackHost } from '../domain/loopback.ts';
import type { RequestGate } from './gate/request-gate.ts';
import { createSession, type TokenStore } from './calls/session.ts';
import { createSimplePaymentCalls, type SimplePaymentCalls } from './payments/simple-payments.ts';
import { createStorageHosts } from './payment-file/storage-hosts.ts';
import { createTransport } from './calls/transport.ts';
import type { OnWarning } from './payment-file/upload-url.ts';
import { createUserCalls, type UserCalls } from './onboarding/users.ts';
import { createVirtualAccountCalls, type VirtualAccountCalls } from './accounts/virtual-accounts.ts';

/**
 * One provider account, ready to be called: an area of the contract each. Shows no credential and no token, however it
 * is printed. Contract: account 4, payments 4.
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
  /** Closes its connections. Requests under way break off, so end them first. */
  close(): void;
}

export interface ProviderClientOptions {
  account: string;
  /** Address of the API, with a path prefix if it has one. */
  baseUrl: string;
  credentials: Credentials;
  gate: RequestGate;
  tokens: TokenStore;
  /** Wall clock, milliseconds since 1970. */
  now: () => number;
  limits?: Partial<ExchangeLimits>;
  /**
   * The storage provider's word in the upload header, when it cannot be read from upload addresses. Contract: payments
   * 4.4.
   */
  storagePrefix?: string;
  /** How days of a user's details are written: `DD-MM-YYYY` when absent. Contract: account 2.4. */
  userDayForm?: DayForm;
  /** How files of documents are sent, which the contract does not show. Contract: account 4.4. */
  documentUpload?: DocumentUploadStyle;
  /**
   * Path of a virtual account request, with `:requestId` in it. The contract gives none, so there is no default.
   * Contract: payments 4.6.
   */
  virtualAccountRequestPath?: string;
  /** Certificates in PEM of those who vouch for the provider and its storage, in place of the usual ones. */
  authorities?: string;
  /** The only hosts that files go to: names, a leading `*.` for those below it. Absent: every public one. */
  uploadHosts?: readonly string[];
  /** What may be reached unencrypted beyond this machine. */
  allowPlaintext?: readonly ('provider' | 'uploads')[];
  onWarning?: OnWarning;
}

const DEFAULT_LIMITS: ExchangeLimits = {
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  uploadTimeoutMs: 120_000,
  largestAnswerBytes: 32 * 1024 * 1024,
};

/** Throws RangeError, naming the option, when the address, a credential or a variant cannot be used. */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { account, credentials, gate, tokens, now, onWarning, storagePrefix } = options;
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
  const caller = createApiCaller({ baseUrl, apiKey: credentials.apiKey, secrets, gate, transport, limits, now });
  const session = createSession({ account, tokens, now, authenticate: createAuthenticate(caller, credentials, now) });
  const api = createAuthorisedCaller(caller, session);
  const plaintextAllowed = allowed.includes('uploads');
  const hosts = createStorageHosts({ base, names: options.uploadHosts, plaintextAllowed });
  const storage = { transport, limits, hosts, secrets, now, onWarning };
  return {
    account,
    authentication: createAuthenticationCalls(caller, session),
    registration: createRegistrationCalls(api),
    users: createUserCalls(api, options.userDayForm ?? 'DD-MM-YYYY'),
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
