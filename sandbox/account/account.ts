import type { AnswerForm } from '../answers/answer-form.ts';
import type { Clock } from '../core/clock.ts';
import type { RequestLine } from '../config/http-options.ts';
import type { SandboxAccount } from '../config/accounts.ts';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import { RateLimiter } from '../core/rate-limiter.ts';
import { SeededRandom } from '../core/seeded-random.ts';
import { Faults } from '../faults/faults.ts';
import type { Json } from '../core/json.ts';
import type { Rates } from '../market/rates.ts';
import { Ring } from '../core/ring.ts';
import { type DeliveryResult, Webhooks } from '../webhooks/webhooks.ts';
import { Beneficiaries } from './beneficiaries.ts';
import { ConversionBook } from './conversion-book.ts';
import { Documents } from '../documents/document-book.ts';
import {
  conversionEvent,
  depositEvent,
  fundingEvent,
  paymentEvent,
  refundEvent,
  userEvent,
  virtualAccountRequestEvent,
} from '../webhooks/events.ts';
import { FundingBook } from './funding-book.ts';
import { Ledger } from './ledger.ts';
import { PaymentBook } from './payment-book.ts';
import { Quotes } from './quotes.ts';
import { RefundBook } from './refund-book.ts';
import { SignIns } from './sign-ins.ts';
import { SupportingFiles } from '../documents/supporting-file-book.ts';
import { Tokens } from './tokens.ts';
import type { Treasury } from './treasury-invariant.ts';
import { Users } from './users.ts';
import { VirtualAccounts } from './virtual-accounts.ts';

const MAX_REQUEST_LINES = 1000;

export interface AccountDependencies {
  readonly options: ResolvedOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly answers: AnswerForm;
  /** Different after every reset, so that old identifiers are never reused. */
  readonly seed: string;
  /** Called with the result of every notification that is not sent again. */
  readonly onDeliveryEnded: (result: DeliveryResult) => void;
  /** No notification is sent before `webhooks.resume`. */
  readonly isPaused: boolean;
}

/** The state of one API key. Nothing here is shared with another key. */
export class Account {
  readonly credentials: SandboxAccount;
  /** The id of the caller's own account, to which its balances, fundings and deposits belong. */
  readonly id: string;
  readonly rateLimiter: RateLimiter;
  readonly tokens: Tokens;
  readonly signIns: SignIns;
  readonly users: Users;
  readonly documents: Documents;
  readonly beneficiaries: Beneficiaries;
  readonly quotes: Quotes;
  readonly files: SupportingFiles;
  readonly ledger: Ledger;
  readonly refunds: RefundBook;
  readonly payments: PaymentBook;
  readonly fundings: FundingBook;
  readonly conversions: ConversionBook;
  readonly virtualAccounts: VirtualAccounts;
  readonly faults: Faults;
  readonly webhooks: Webhooks;
  readonly requestLines = new Ring<RequestLine>(MAX_REQUEST_LINES);
  /** Requests to the API, including refused ones, without uploads. */
  requests = 0;
  readonly requestsByOperation = new Map<string, number>();
  /** Uploads that sent a credential to the storage, which must not receive one. */
  credentialLeaks = 0;

  constructor(credentials: SandboxAccount, deps: AccountDependencies) {
    const { options, clock, rates, answers, seed, onDeliveryEnded, isPaused } = deps;
    const random = (subject: string): SeededRandom => new SeededRandom(`${seed}/${credentials.apiKey}/${subject}`);
    const url = credentials.webhookUrl === undefined ? options.webhookUrl : credentials.webhookUrl;
    const headers = credentials.webhookHeaders ?? options.webhookHeaders;
    this.credentials = credentials;
    this.id = random('account').uuid();
    this.rateLimiter = new RateLimiter(
      credentials.limitPerSecond ?? options.limitPerSecond,
      credentials.limitPerDay ?? options.limitPerDay,
    );
    this.tokens = new Tokens(random('tokens'), options.tokenTtlMs);
    this.signIns = new SignIns(random('sign-ins'), credentials);
    this.documents = new Documents(random('documents'), options);
    this.beneficiaries = new Beneficiaries(random('beneficiaries'));
    this.quotes = new Quotes(random('quotes'), rates);
    this.files = new SupportingFiles(random('files'), options.storagePrefix);
    this.ledger = new Ledger(random('ledger'), credentials.balances ?? options.balances);
    this.faults = new Faults(random('faults'), options.openOperations);
    this.webhooks = new Webhooks({
      clock,
      faults: this.faults,
      address: url === null ? null : { url, headers },
      isPaused,
      onEnded: onDeliveryEnded,
    });
    const { ledger, webhooks } = this;
    const notify =
      <Resource>(eventOf: (resource: Resource) => Json) =>
      (resource: Resource): void =>
        webhooks.notify(answers.notification(eventOf(resource)));
    const shared = { options, clock, rates, ledger };
    this.refunds = new RefundBook({ ...shared, random: random('refunds'), notify: notify(refundEvent) });
    this.payments = new PaymentBook({
      ...shared,
      random: random('payments'),
      refunds: this.refunds,
      interimStatuses: answers.interimStatuses,
      notify: notify(paymentEvent),
    });
    this.fundings = new FundingBook({ ...shared, random: random('fundings'), notify: notify(fundingEvent) });
    this.conversions = new ConversionBook({
      ...shared,
      random: random('conversions'),
      notify: notify(conversionEvent),
    });
    this.virtualAccounts = new VirtualAccounts({
      ...shared,
      random: random('virtual-accounts'),
      notifyRequest: notify(virtualAccountRequestEvent),
      notifyDeposit: notify((deposit) => depositEvent(deposit, this.id)),
    });
    this.users = new Users({ ...shared, random: random('users'), notify: notify(userEvent) });
  }

  /** Everything that moves money except payments and their refunds. */
  treasury(): Treasury {
    return {
      fundings: this.fundings.all(),
      conversions: this.conversions.all(),
      deposits: this.virtualAccounts.deposits,
    };
  }

  countOperation(operation: string): void {
    this.requestsByOperation.set(operation, (this.requestsByOperation.get(operation) ?? 0) + 1);
  }

  close(): void {
    for (const book of [this.payments, this.refunds, this.conversions, this.users]) book.close();
    this.webhooks.close();
  }
}
