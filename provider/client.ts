import { createApiCaller, type ExchangeLimits } from './api-caller.ts';
import {
  createAuthenticate,
  createAuthenticationCalls,
  type AuthenticationCalls,
  type Credentials,
} from './authentication.ts';
import { createAuthorisedCaller } from './authorised-caller.ts';
import { type BalanceCalls, createBalanceCalls } from './balances.ts';
import { type BeneficiaryCalls, createBeneficiaryCalls } from './beneficiaries.ts';
import { createCurrencyCalls, type CurrencyCalls } from './currencies.ts';
import type { RequestGate } from './request-gate.ts';
import { createSession, type TokenStore } from './session.ts';
import { createSimplePaymentCalls, type SimplePaymentCalls } from './simple-payments.ts';
import { createTransport } from './transport.ts';
import type { OnWarning } from './upload-url.ts';

/** One provider account, ready to be called. Shows no credential and no token, however it is printed. */
export interface ProviderClient {
  readonly account: string;
  readonly authentication: AuthenticationCalls;
  readonly beneficiaries: BeneficiaryCalls;
  readonly currencies: CurrencyCalls;
  readonly simplePayments: SimplePaymentCalls;
  readonly balances: BalanceCalls;
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
  /** The storage provider's word in the upload header, when it cannot be read from upload addresses. */
  storagePrefix?: string;
  onWarning?: OnWarning;
}

const DEFAULT_LIMITS: ExchangeLimits = {
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  uploadTimeoutMs: 120_000,
  largestAnswerBytes: 32 * 1024 * 1024,
};

/** Throws RangeError, naming the option, when the address or a credential cannot be used. */
export function createProviderClient(options: ProviderClientOptions): ProviderClient {
  const { account, credentials, gate, tokens, now, onWarning, storagePrefix } = options;
  const base = checkedBase(account, options.baseUrl);
  checkCredentials(account, credentials);
  if (base.protocol === 'http:' && !isLoopback(base.hostname)) {
    onWarning?.(`account ${account}: the provider's address is not encrypted`);
  }
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const secrets = [credentials.apiKey, credentials.accessKeyId, credentials.secretAccessKey];
  const transport = createTransport();
  const baseUrl = base.href.replace(/\/+$/, '');
  const caller = createApiCaller({ baseUrl, apiKey: credentials.apiKey, secrets, gate, transport, limits, now });
  const session = createSession({ account, tokens, now, authenticate: createAuthenticate(caller, credentials, now) });
  const api = createAuthorisedCaller(caller, session);
  const plainHttpAllowed = base.protocol === 'http:';
  return {
    account,
    authentication: createAuthenticationCalls(caller, session),
    beneficiaries: createBeneficiaryCalls(api),
    currencies: createCurrencyCalls(api),
    simplePayments: createSimplePaymentCalls(api, {
      transport,
      limits,
      plainHttpAllowed,
      storagePrefix,
      secrets,
      now,
      onWarning,
    }),
    balances: createBalanceCalls(api),
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

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || host.startsWith('127.');
}
