import type { Fact } from '../../domain/reconciliation/fact.ts';
import { conversionFact, paymentFact, receiptFact, refundFact } from '../../domain/reconciliation/expectations.ts';
import type { GeneratedDay, Planted } from './generated-day.ts';
import { decimal, ProviderModel, seeded } from './provider-model.ts';

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'] as const;
export type Currency = (typeof CURRENCIES)[number];

/** How this provider writes the fees of payments in each currency, and whether it refunds them. */
export const FEES_BESIDE: Readonly<Record<Currency, boolean>> = { USD: false, EUR: false, JPY: true, KWD: true };
const FEES_REFUNDED: Readonly<Record<Currency, boolean>> = { USD: true, EUR: true, JPY: false, KWD: false };

interface PaymentPlan {
  currency: Currency;
  atMs: number;
  principal: bigint;
  fees: bigint[];
  id: string;
}

/** A day of about `movements` entries in four currencies, all of it in order. */
export class DayGenerator {
  readonly #random: () => number;
  protected readonly model: ProviderModel;
  readonly #dayMs: number;
  readonly #opening: Map<string, bigint>;
  readonly #facts: Fact[] = [];
  protected readonly listed: Fact[] = [];
  readonly planted: Planted[] = [];
  /** Planted amounts occur nowhere else: equal ones could not be told apart by anybody. */
  readonly #amounts = new Set<string>();
  protected readonly late = new Set<string>();
  readonly #slots = new Map<Currency, number>();
  #number = 0;

  constructor(seed: number, dayMs: number) {
    this.#random = seeded(seed);
    this.#dayMs = dayMs;
    this.#opening = new Map(CURRENCIES.map((currency) => [currency, 10n ** 13n + BigInt(this.#below(1e9))]));
    this.model = new ProviderModel(this.#random, this.#opening);
  }

  generate(movements: number): GeneratedDay {
    const base = Math.max(1, Math.floor(movements / 5000));
    for (let left = 300 * base; left > 0; left -= 1) this.pay(this.plan('USD', { principal: 25_000n, fees: [150n] }));
    for (let left = 1700 * base; left > 0; left -= 1) this.pay(this.plan(this.#currency()));
    for (let left = 250 * base; left > 0; left -= 1) this.convert('both');
    for (let left = 150 * base; left > 0; left -= 1) this.refund('whole', this.#currency());
    for (let left = 280 * base; left > 0; left -= 1) this.#receive(this.#below(5));
    for (let left = 20 * base; left > 0; left -= 1) this.#payLate();
    for (let left = 5 * base; left > 0; left -= 1) this.#payUnknown();
    this.plant();
    const { lines, closing } = this.model.history();
    const balances = Object.fromEntries(
      CURRENCIES.map((currency) => [
        currency,
        {
          opening: decimal(this.#opening.get(currency) ?? 0n, currency),
          closing: decimal(closing.get(currency) ?? 0n, currency),
        },
      ]),
    );
    const day: GeneratedDay = {
      lines,
      facts: this.#facts,
      listed: this.listed,
      balances,
      planted: this.planted,
      dayMs: this.#dayMs,
    };
    const { lines: shown } = this.shown(day);
    return { ...day, lines: this.#shuffled(shown), facts: this.#shuffled(day.facts) };
  }

  /** What else happened, before the history is written. */
  protected plant(): void {}

  /** What the provider shows. */
  protected shown(day: GeneratedDay): GeneratedDay {
    return day;
  }

  protected note(type: string, currency: string, facts: string[], tags: string[]): void {
    this.planted.push({ type, currency, facts, tags });
  }

  protected plan(
    currency: Currency,
    more: { principal?: bigint; fees?: bigint[]; isUnique?: boolean } = {},
  ): PaymentPlan {
    const principal = more.principal ?? (more.isUnique === true ? this.uniqueAmount(currency) : this.#amount());
    const count = currency === 'KWD' ? 2 : 1;
    const fees = more.fees ?? Array.from({ length: count }, () => BigInt(100 + this.#below(40) * 10));
    const atMs = more.isUnique === true ? this.timeApart(currency) : this.#time();
    return { currency, atMs, principal, fees, id: this.#id('payment') };
  }

  protected pay(
    plan: PaymentPlan,
    how: { factor?: [bigint, bigint]; isBeside?: boolean; fees?: bigint[]; isExpected?: boolean; lateMs?: number } = {},
  ): void {
    const { currency, id, principal } = plan;
    if (how.isExpected !== false) this.expectPayment(plan);
    const [times, by] = how.factor ?? [1n, 1n];
    const datedMs = plan.atMs + this.#below(20 * MINUTE_MS);
    const postedMs = datedMs + (how.lateMs ?? 0);
    // Fees come before or after the amount, in neighbouring entries or in those of one transaction.
    const transaction = this.#random() < 0.5 ? this.model.nextTransaction() : null;
    const fees = how.fees ?? plan.fees;
    const feeTotal = fees.reduce((sum, fee) => sum + fee, 0n);
    const more = { transaction, type: this.#random() < 0.5 ? '' : 'debit', datedMs, postedMs };
    const debited = (principal * times) / by;
    if (how.isBeside ?? FEES_BESIDE[currency]) {
      const isFeeFirst = this.#random() < 0.3;
      const parts = isFeeFirst ? [...fees, debited] : [debited, ...fees];
      for (const part of parts) this.model.post(currency, -part, datedMs, id, more);
    } else {
      this.model.post(currency, -(debited + feeTotal), datedMs, id, more);
    }
  }

  protected expectPayment({ currency, atMs, principal, fees, id }: PaymentPlan, isFunded = true): void {
    const total = fees.reduce((sum, fee) => sum + fee, principal);
    const fact = paymentFact({
      factId: id,
      providerId: `p-${id}`,
      currency,
      totalAmount: decimal(total, currency),
      sellAmount: decimal(principal, currency),
      fees: fees.map((fee) => decimal(fee, currency)),
      fundedFromMs: atMs - 400,
      fundedUntilMs: atMs + 600,
      isFunded,
    });
    this.#facts.push(fact);
    this.listed.push(fact);
  }

  /** It is dated when it was made, and changed the balance hours later. */
  #payLate(): void {
    const plan = this.plan(this.#random() < 0.5 ? 'USD' : 'EUR');
    this.late.add(plan.id);
    this.pay({ ...plan, atMs: this.#dayMs + this.#below(12 * 60 * MINUTE_MS) }, { lateMs: 5 * 60 * MINUTE_MS });
  }

  /** Its outcome is unknown; half of them were funded. */
  #payUnknown(): void {
    const plan = this.plan('USD', { isUnique: true });
    this.expectPayment(plan, false);
    if (this.#random() < 0.5) this.pay(plan, { isExpected: false });
  }

  protected convert(legs: 'both' | 'sold' | 'bought'): string {
    const id = this.#id('conversion');
    const [sell, buy] = this.#random() < 0.5 ? (['USD', 'EUR'] as const) : (['EUR', 'KWD'] as const);
    const isUnique = legs !== 'both';
    const sold = isUnique ? this.uniqueAmount(sell) : this.#amount();
    const bought = isUnique ? this.uniqueAmount(buy) : this.#amount();
    const atMs = isUnique ? this.timeApart(sell) : this.#time();
    const fee = BigInt(50 + this.#below(50));
    const completedMs = atMs + this.#below(60 * MINUTE_MS);
    const transaction = this.model.nextTransaction();
    if (legs !== 'bought') this.model.post(sell, -(sold + fee), atMs + 1000, id, { transaction });
    if (legs !== 'sold') this.model.post(buy, bought, completedMs, id, { transaction });
    const fact = conversionFact({
      factId: id,
      providerId: `c-${id}`,
      sellCurrency: sell,
      totalAmount: decimal(sold + fee, sell),
      sellAmount: decimal(sold, sell),
      fees: [decimal(fee, sell)],
      buyCurrency: buy,
      buyAmount: decimal(bought, buy),
      fundedFromMs: atMs,
      fundedUntilMs: atMs + 500,
      isFunded: true,
      completedMs: completedMs + 2000,
      creditUntilMs: completedMs,
    });
    this.#facts.push(fact);
    this.listed.push(fact);
    return id;
  }

  protected refund(how: 'whole' | 'missing' | 'short' | 'orphan', currency: Currency): string {
    const id = this.#id('refund');
    const principal = how === 'whole' ? this.#amount() : this.uniqueAmount(currency);
    const [fee, atMs] = [BigInt(100 + this.#below(400)), this.#time()];
    const isOrphan = how === 'orphan';
    const credited = FEES_REFUNDED[currency] || isOrphan ? principal + fee : principal;
    if (how !== 'missing') this.model.post(currency, how === 'short' ? (principal * 6n) / 10n : credited, atMs, id);
    const refund = {
      factId: id,
      providerId: `r-${id}`,
      currency,
      amount: decimal(principal + fee, currency),
      toldFromMs: atMs + this.#below(30 * MINUTE_MS),
      toldUntilMs: atMs + 40 * MINUTE_MS,
    };
    const fees = isOrphan ? [] : [decimal(fee, currency)];
    this.#facts.push(refundFact({ ...refund, paymentId: isOrphan ? null : `of-${id}`, fees }, HOUR_DELAYS));
    return id;
  }

  /** Money from outside, told as a funding, as a deposit, or as both; in the last case once or twice the money. */
  #receive(how: number): void {
    const [currency, amount, atMs] = [this.#currency(), this.#amount(), this.#time()];
    const id = this.#id('receipt');
    const receipt = {
      currency,
      amount: decimal(amount, currency),
      toldFromMs: atMs,
      toldUntilMs: atMs + this.#below(30 * MINUTE_MS),
    };
    this.model.post(currency, amount, atMs + this.#below(5 * MINUTE_MS), id);
    if (how === 4) this.model.post(currency, amount, atMs + this.#below(5 * MINUTE_MS), id);
    const told = { ...receipt, providerId: `in-${id}` };
    if (how !== 0) this.#facts.push(receiptFact('funding', { ...told, factId: `${id}-funding` }, HOUR_DELAYS));
    if (how !== 1) this.#facts.push(receiptFact('deposit', { ...told, factId: `${id}-deposit` }, HOUR_DELAYS));
  }

  /** The facts that an action adds, taken back: payrun did not do it. */
  protected recorded(action: () => void): { facts: Fact[] } {
    const [facts, listed] = [this.#facts.length, this.listed.length];
    action();
    this.listed.splice(listed);
    return { facts: this.#facts.splice(facts) };
  }

  #amount(): bigint {
    return BigInt(10_000 + this.#below(9_000_000));
  }

  /** Of a size that no other amounts have. */
  protected uniqueAmount(currency: Currency): bigint {
    for (;;) {
      const amount = BigInt(20_000_000 + this.#below(500_000_000));
      const key = `${currency} ${amount}`;
      if (this.#amounts.has(key)) continue;
      this.#amounts.add(key);
      return amount;
    }
  }

  protected oneOf<Item>(items: readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new RangeError('there is none');
    return item;
  }

  #currency(): Currency {
    return CURRENCIES[this.#below(CURRENCIES.length)] ?? 'USD';
  }

  /** In the middle of the day, so that all entries are of this day. */
  #time(): number {
    return this.#dayMs + 60 * MINUTE_MS + this.#below(20 * 60 * MINUTE_MS);
  }

  /**
   * Two hours from what was planted last in this currency: of a missing and a wrong amount at the same time nobody could
   * tell which is which.
   */
  protected timeApart(currency: Currency): number {
    const slot = this.#slots.get(currency) ?? this.#below(10);
    this.#slots.set(currency, (slot + 1) % 10);
    return this.#dayMs + (60 + 120 * slot + this.#below(40)) * MINUTE_MS;
  }

  #id(kind: string): string {
    this.#number += 1;
    return `${kind}-${this.#number}`;
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  #shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, key: this.#random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  }
}

const HOUR_DELAYS = { beforeMs: 5 * MINUTE_MS, debitMs: 60 * MINUTE_MS, creditMs: 60 * MINUTE_MS };
