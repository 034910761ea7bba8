import { onTestFinished } from 'vitest';
import { defaultAccount } from '../../sandbox/config/accounts.ts';
import type { SandboxOptions } from '../../sandbox/config/options.ts';
import { type RunningSandbox, startSandbox } from '../../sandbox/server.ts';

export interface Answer {
  readonly status: number;
  /** The text as it was received, for exact comparisons. */
  readonly text: string;
  readonly body: Loose;
  readonly headers: Headers;
}

/** Any JSON, without types: a test that reads a missing field fails at its assertion. */
export interface Loose {
  readonly [key: string]: Loose;
}

/**
 * A sandbox with a frozen clock, no limit and plain answers, unless the options say otherwise; closed at the end of the
 * test.
 */
export async function aSandbox(options: Partial<SandboxOptions> = {}): Promise<Caller> {
  const defaults = { limitPerSecond: 0, frozenAtMs: Date.UTC(2026, 2, 2, 9), answers: 'plain' } as const;
  const sandbox = await startSandbox({ ...defaults, ...options });
  onTestFinished(() => sandbox.close());
  return new Caller(sandbox, defaultAccount.apiKey);
}

/** Calls a sandbox with the API key of one of its accounts and one token. */
export class Caller {
  readonly sandbox: RunningSandbox;
  readonly apiKey: string;
  token = '';

  constructor(sandbox: RunningSandbox, apiKey: string) {
    this.sandbox = sandbox;
    this.apiKey = apiKey;
  }

  async signIn(
    accessKeyId = defaultAccount.accessKeyId,
    secretAccessKey = defaultAccount.secretAccessKey,
  ): Promise<this> {
    const { body } = await this.post('/users/v1/authenticate', { accessKeyId, secretAccessKey });
    this.token = asText(body['token']);
    return this;
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  post(path: string, body: unknown = {}): Promise<Answer> {
    return this.send('POST', path, body);
  }

  async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const response = await fetch(path.startsWith('http') ? path : `${this.sandbox.url}${path}`, {
      method,
      headers: {
        'x-api-key': this.apiKey,
        ...(this.token ? { authorization: this.token } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json');
    return {
      status: response.status,
      text,
      body: (json && text ? JSON.parse(text) : {}) as Loose,
      headers: response.headers,
    };
  }

  /** Creates a beneficiary in Germany, with some fields changed. */
  async aBeneficiary(differences: Record<string, unknown> = {}): Promise<string> {
    const { body } = await this.post('/beneficiaries/v1/create', { ...aGermanCompany, ...differences });
    return asText(body['data']!['beneficiaryId']);
  }

  /** Quotes 100 US dollars to a German company, with some fields changed. */
  async aQuote(differences: Record<string, unknown> = {}): Promise<Loose> {
    const beneficiaryId = differences['beneficiaryId'] ?? (await this.aBeneficiary());
    const order = { beneficiaryId, sellCurrency: 'USD', buyCurrency: 'EUR', amount: 100, ...differences };
    return (await this.post('/simple-payments/v1/quote', order)).body['data']!;
  }

  /** Quotes and creates a payment. */
  async aPayment(quote: Record<string, unknown> = {}, instruction: Record<string, unknown> = {}): Promise<Loose> {
    const { quoteId } = await this.aQuote(quote);
    return (await this.create({ quoteId, ...instruction })).body['data']!;
  }

  create(instruction: Record<string, unknown>): Promise<Answer> {
    return this.post('/simple-payments/v1/create', { ...anInstruction, ...instruction });
  }

  fund(payment: Loose): Promise<Answer> {
    return this.post('/simple-payments/v1/fund', { simplePaymentId: payment['simplePaymentId'] });
  }

  async read(payment: Loose): Promise<Loose> {
    return (await this.get(`/simple-payments/v1/item/${asText(payment['simplePaymentId'])}`)).body['data']!;
  }
}

/** A value of an answer as text. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const aGermanCompany = {
  country: 'DE',
  entityType: 'company',
  companyName: 'Schmidt Papier GmbH',
  bankAccount: {
    country: 'DE',
    currency: 'EUR',
    bankName: 'Commerzbank',
    bankAccountHolderName: 'Schmidt Papier GmbH',
    iban: 'DE89370400440532013000',
  },
};

export const anInstruction = {
  fundingSource: 'COMPANY_BANK_ACCOUNT',
  paymentReference: 'Invoice 4711',
  purposeOfTransfer: 'SUPP',
  fundingMethod: 'PAYNOW',
};
