import type { AnswerForm } from '../answers/answer-form.ts';
import { Arrivals } from '../core/rate-limiter.ts';
import { Chance } from '../core/seeded-random.ts';
import type { Clock } from '../core/clock.ts';
import type { RequestLine, SandboxAccount, SandboxOptions } from '../config/defaults.ts';
import { Faults } from '../faults/faults.ts';
import type { Json } from '../core/json.ts';
import type { Rates } from '../market/rates.ts';
import { Ring } from '../core/ring.ts';
import { type EndedDelivery, Webhooks } from '../webhooks/webhooks.ts';
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

const KEPT_REQUESTS = 1000;

export interface AccountDependencies {
  readonly options: SandboxOptions;
  readonly clock: Clock;
  readonly rates: Rates;
  readonly answers: AnswerForm;
  /** Different after every reset, so that identifiers of the past never name something new. */
  readonly seed: string;
  /** Told of every notification that ended; with `quiet` none is sent before `webhooks.goOn`. */
  readonly deliveryEnded: (ended: EndedDelivery) => void;
  readonly quiet: boolean;
}

/** All that the sandbox holds for one API key: nothing here is shared with another. */
export class Account {
  readonly credentials: SandboxAccount;
  /** The caller's own account, which its balances, fundings and deposits belong to. */
  readonly id: string;
  readonly arrivals: Arrivals;
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
  readonly requestLines = new Ring<RequestLine>(KEPT_REQUESTS);
  /** Requests to the API, refused ones included; uploads are not among them. */
  requests = 0;
  readonly requestsByOperation = new Map<string, number>();
  /** Uploads that carried a credential to an address that must not see one. */
  credentialLeaks = 0;

  constructor(credentials: SandboxAccount, given: AccountDependencies) {
    const { options, clock, rates, answers, seed, deliveryEnded, quiet } = given;
    const chance = (subject: string): Chance => new Chance(`${seed}/${credentials.apiKey}/${subject}`);
    const url = credentials.webhookUrl === undefined ? options.webhookUrl : credentials.webhookUrl;
    const headers = credentials.webhookHeaders ?? options.webhookHeaders;
    this.credentials = credentials;
    this.id = chance('account').uuid();
    this.arrivals = new Arrivals(
      credentials.limitPerSecond ?? options.limitPerSecond,
      credentials.limitPerDay ?? options.limitPerDay,
    );
    this.tokens = new Tokens(chance('tokens'), options.tokenTtlMs);
    this.signIns = new SignIns(chance('sign-ins'), credentials);
    this.documents = new Documents(chance('documents'), options);
    this.beneficiaries = new Beneficiaries(chance('beneficiaries'));
    this.quotes = new Quotes(chance('quotes'), rates);
    this.files = new SupportingFiles(chance('files'), options.storagePrefix);
    this.ledger = new Ledger(chance('ledger'), credentials.balances ?? options.balances);
    this.faults = new Faults(chance('faults'), options.openOperations);
    this.webhooks = new Webhooks({
      clock,
      faults: this.faults,
      address: url === null ? null : { url, headers },
      quiet,
      ended: deliveryEnded,
    });
    const { ledger, webhooks } = this;
    const tell =
      <Resource>(eventOf: (resource: Resource) => Json) =>
      (resource: Resource): void =>
        webhooks.announce(answers.notification(eventOf(resource)));
    const book = { options, clock, rates, ledger };
    this.refunds = new RefundBook({ ...book, chance: chance('refunds'), announce: tell(refundEvent) });
    this.payments = new PaymentBook({
      ...book,
      chance: chance('payments'),
      refunds: this.refunds,
      statusesOnTheWay: answers.statusesOnTheWay,
      announce: tell(paymentEvent),
    });
    this.fundings = new FundingBook({ ...book, chance: chance('fundings'), announce: tell(fundingEvent) });
    this.conversions = new ConversionBook({ ...book, chance: chance('conversions'), announce: tell(conversionEvent) });
    this.virtualAccounts = new VirtualAccounts({
      ...book,
      chance: chance('virtual-accounts'),
      announceRequest: tell(virtualAccountRequestEvent),
      announceDeposit: tell((deposit) => depositEvent(deposit, this.id)),
    });
    this.users = new Users({ ...book, chance: chance('users'), announce: tell(userEvent) });
  }

  /** What moved money besides payments and their refunds. */
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
