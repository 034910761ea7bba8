import { Arrivals } from '../arrivals.ts';
import { Chance } from '../chance.ts';
import type { Clock } from '../clock.ts';
import type { RequestLine, SandboxAccount, SandboxOptions } from '../defaults.ts';
import { Faults } from '../faults.ts';
import type { Rates } from '../market/rates.ts';
import { Ring } from '../ring.ts';
import { Webhooks } from '../webhooks.ts';
import { Beneficiaries } from './beneficiaries.ts';
import { Ledger } from './ledger.ts';
import { PaymentBook } from './payment-book.ts';
import { Quotes } from './quotes.ts';
import type { SimplePayment } from './simple-payment.ts';
import { SupportingFiles } from './supporting-files.ts';
import { Tokens } from './tokens.ts';

const KEPT_REQUESTS = 1000;

export interface AccountDependencies {
  readonly options: SandboxOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  /** Different after every reset, so that identifiers of the past never name something new. */
  readonly seed: string;
}

/** All that the sandbox holds for one API key: nothing here is shared with another. */
export class Account {
  readonly credentials: SandboxAccount;
  readonly arrivals: Arrivals;
  readonly tokens: Tokens;
  readonly beneficiaries: Beneficiaries;
  readonly quotes: Quotes;
  readonly files: SupportingFiles;
  readonly ledger: Ledger;
  readonly payments: PaymentBook;
  readonly faults: Faults;
  readonly webhooks: Webhooks;
  readonly requestLines = new Ring<RequestLine>(KEPT_REQUESTS);
  /** Requests to the API, refused ones included; uploads are not among them. */
  requests = 0;
  readonly requestsByOperation = new Map<string, number>();
  /** Uploads that carried a credential to an address that must not see one. */
  credentialLeaks = 0;

  constructor(credentials: SandboxAccount, given: AccountDependencies) {
    const { options, clock, rates, seed } = given;
    const chance = (subject: string): Chance => new Chance(`${seed}/${credentials.apiKey}/${subject}`);
    const url = credentials.webhookUrl === undefined ? options.webhookUrl : credentials.webhookUrl;
    const headers = credentials.webhookHeaders ?? options.webhookHeaders;
    this.credentials = credentials;
    this.arrivals = new Arrivals(
      credentials.limitPerSecond ?? options.limitPerSecond,
      credentials.limitPerDay ?? options.limitPerDay,
    );
    this.tokens = new Tokens(chance('tokens'), options.tokenTtlMs);
    this.beneficiaries = new Beneficiaries(chance('beneficiaries'));
    this.quotes = new Quotes(chance('quotes'), rates);
    this.files = new SupportingFiles(chance('files'), options.storagePrefix);
    this.ledger = new Ledger(chance('ledger'), credentials.balances ?? options.balances);
    this.faults = new Faults(chance('faults'));
    this.webhooks = new Webhooks(clock, this.faults, url === null ? null : { url, headers });
    this.payments = new PaymentBook({
      options,
      clock,
      chance: chance('payments'),
      ledger: this.ledger,
      announce: (payment) => this.webhooks.announce(paymentEvent(payment)),
    });
  }

  countOperation(operation: string): void {
    this.requestsByOperation.set(operation, (this.requestsByOperation.get(operation) ?? 0) + 1);
  }

  close(): void {
    this.payments.close();
    this.webhooks.close();
  }
}

/** The notification of a payment's status. Contract: payments 6. */
const paymentEvent = (payment: SimplePayment): Record<string, string | null> => ({
  resource: 'simple_payment',
  resourceId: payment.id,
  status: payment.status,
  reason: payment.reason,
});
