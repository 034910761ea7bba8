import type { Fact } from '../../domain/reconciliation/fact.ts';
import { conversionFact, paymentFact, receiptFact, refundFact } from '../../domain/reconciliation/expectations.ts';
import { decimal, type HistoryLine, ProviderModel, seeded } from './provider-model.ts';

/** A break as it was planted: of its type, with these facts, and with the entries that have these tags. */
export interface Planted {
  type: string;
  currency: string;
  facts: string[];
  tags: string[];
}

export interface GeneratedDay {
  lines: { line: HistoryLine; tag: string }[];
  facts: Fact[];
  listed: Fact[];
  balances: Record<string, { opening: string; closing: string }>;
  planted: Planted[];
  dayMs: number;
}

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const CURRENCIES = ['USD', 'EUR', 'JPY', 'KWD'] as const;
type Currency = (typeof CURRENCIES)[number];

/** How this provider writes the fees of payments in each currency, and whether it refunds them. */
const FEES_BESIDE: Readonly<Record<Currency, boolean>> = { USD: false, EUR: false, JPY: true, KWD: true };
const FEES_REFUNDED: Readonly<Record<Currency, boolean>> = { USD: true, EUR: true, JPY: false, KWD: false };

interface PaymentPlan {
  currency: Currency;
  atMs: number;
  principal: bigint;
  fees: bigint[];
  id: string;
}

/** A day of about `movements` entries in four currencies, with two of each of the ten breaks if `isPlanted`. */
export class DayGenerator {
  readonly #random: () => number;
  readonly #model: ProviderModel;
  readonly #dayMs: number;
  readonly #opening: Map<string, bigint>;
  readonly #facts: Fact[] = [];
  readonly #listed: Fact[] = [];
  readonly #planted: Planted[] = [];
  /** Planted amounts occur nowhere else: equal ones could not be told apart by anybody. */
  readonly #amounts = new Set<string>();
  readonly #late = new Set<string>();
  readonly #slots = new Map<Currency, number>();
  #number = 0;

  constructor(seed: number, dayMs: number) {
    this.#random = seeded(seed);
    this.#dayMs = dayMs;
    this.#opening = new Map(CURRENCIES.map((currency) => [currency, 10n ** 13n + BigInt(this.#below(1e9))]));
    this.#model = new ProviderModel(this.#random, this.#opening);
  }

  generate(movements: number, isPlanted: boolean): GeneratedDay {
    const base = Math.max(1, Math.floor(movements / 5000));
    for (let left = 300 * base; left > 0; left -= 1) this.#pay(this.#plan('USD', { principal: 25_000n, fees: [150n] }));
    for (let left = 1700 * base; left > 0; left -= 1) this.#pay(this.#plan(this.#currency()));
    for (let left = 250 * base; left > 0; left -= 1) this.#convert('both');
    for (let left = 150 * base; left > 0; left -= 1) this.#refund('whole', this.#currency());
    for (let left = 280 * base; left > 0; left -= 1) this.#receive(this.#below(5));
    for (let left = 20 * base; left > 0; left -= 1) this.#payLate();
    for (let left = 5 * base; left > 0; left -= 1) this.#payUnknown();
    if (isPlanted) this.#plant();
    const { lines, closing } = this.#model.history();
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
      listed: this.#listed,
      balances,
      planted: this.#planted,
      dayMs: this.#dayMs,
    };
    if (isPlanted) this.#breakHistory(day);
    return { ...day, lines: this.#shuffled(day.lines), facts: this.#shuffled(day.facts) };
  }

  #plant(): void {
    for (const currency of ['USD', 'JPY'] as const) {
      // Another amount: a little more, and a little less than half as much again.
      const wrong = this.#plan(currency, { isUnique: true });
      this.#pay(wrong, { factor: currency === 'USD' ? [103n, 100n] : [14n, 10n] });
      this.#note('wrong_amount', currency, [wrong.id], FEES_BESIDE[currency] ? [wrong.id, wrong.id] : [wrong.id]);
      const missing = this.#plan(currency, { isUnique: true });
      this.#expectPayment(missing);
      this.#note('missing_entry', currency, [missing.id], []);
      const refundId = this.#refund(currency === 'USD' ? 'missing' : 'short', currency);
      this.#note('refund_missing_or_short', currency, [refundId], currency === 'USD' ? [] : [refundId]);
      const orphan = this.#refund('orphan', currency);
      this.#note('refund_without_payment', currency, [orphan], [orphan]);
    }
    // One more debit of the 300 equal ones, which may be any of them.
    const again = this.#plan('USD', { principal: 25_000n, fees: [150n] });
    this.#pay(again);
    this.#model.post('USD', -25_150n, again.atMs + 3 * MINUTE_MS, 'again');
    this.#note('double_entry', 'USD', [], ['*']);
    const beside = this.#plan('USD', { isUnique: true });
    this.#pay(beside, { isBeside: true });
    this.#note('fee_differs', 'USD', [beside.id], [beside.id, beside.id]);
    const otherFee = this.#plan('JPY', { isUnique: true });
    this.#pay(otherFee, { fees: [otherFee.fees[0]! + 7n] });
    this.#note('fee_differs', 'JPY', [otherFee.id], [otherFee.id, otherFee.id]);
    this.#note('conversion_leg', '', [this.#convert('sold')], []);
    this.#note('conversion_leg', '', [this.#convert('bought')], []);
    this.#model.post('EUR', -this.#uniqueAmount('EUR'), this.#timeApart('EUR'), 'unexplained');
    this.#note('unexplained_entry', 'EUR', [], ['unexplained']);
    const dashboard = this.#plan('EUR', { isUnique: true });
    const { facts } = this.#recorded(() => this.#pay(dashboard));
    this.#listed.push(...facts);
    this.#note('unexplained_entry', 'EUR', [dashboard.id], [dashboard.id]);
  }

  /** What the provider shows differs from what it did. */
  #breakHistory(day: GeneratedDay): void {
    const lost = this.#oneOf(day.lines.filter(({ line }) => line.currency === 'KWD').slice(10, -10));
    day.lines.splice(day.lines.indexOf(lost), 1);
    this.#note('chain_broken', 'KWD', [], ['*']);
    // Beside an entry that was posted late nobody could tell where that belongs.
    const euros = day.lines.filter(({ line }) => line.currency === 'EUR');
    const isLate = (at: number): boolean => this.#late.has(euros[at]?.tag ?? '');
    const wrong = this.#oneOf(euros.filter((_, at) => at > 0 && ![at - 1, at, at + 1].some(isLate)));
    // Its change is right, but not its balances.
    wrong.line.amountBefore = raised(wrong.line.amountBefore);
    wrong.line.amountAfter = raised(wrong.line.amountAfter);
    this.#note('chain_broken', 'EUR', [], [wrong.tag]);
    const copied = this.#oneOf(day.lines.filter(({ line }) => line.currency === 'JPY'));
    day.lines.push({ line: { ...copied.line, id: 'h-copy' }, tag: 'copy' });
    this.#note('double_entry', 'JPY', [], ['*']);
    for (const currency of ['USD', 'JPY'] as const) {
      const balance = day.balances[currency];
      if (balance !== undefined) balance.closing = shifted(balance.closing);
      this.#note('closing_differs', currency, [], ['*']);
    }
  }

  #note(type: string, currency: string, facts: string[], tags: string[]): void {
    this.#planted.push({ type, currency, facts, tags });
  }

  #plan(currency: Currency, more: { principal?: bigint; fees?: bigint[]; isUnique?: boolean } = {}): PaymentPlan {
    const principal = more.principal ?? (more.isUnique === true ? this.#uniqueAmount(currency) : this.#amount());
    const count = currency === 'KWD' ? 2 : 1;
    const fees = more.fees ?? Array.from({ length: count }, () => BigInt(100 + this.#below(40) * 10));
    const atMs = more.isUnique === true ? this.#timeApart(currency) : this.#time();
    return { currency, atMs, principal, fees, id: this.#id('payment') };
  }

  #pay(
    plan: PaymentPlan,
    how: { factor?: [bigint, bigint]; isBeside?: boolean; fees?: bigint[]; isExpected?: boolean; lateMs?: number } = {},
  ): void {
    const { currency, id, principal } = plan;
    if (how.isExpected !== false) this.#expectPayment(plan);
    const [times, by] = how.factor ?? [1n, 1n];
    const datedMs = plan.atMs + this.#below(20 * MINUTE_MS);
    const postedMs = datedMs + (how.lateMs ?? 0);
    // Fees come before or after the amount, in neighbouring entries or in those of one transaction.
    const transaction = this.#random() < 0.5 ? this.#model.nextTransaction() : null;
    const fees = how.fees ?? plan.fees;
    const feeTotal = fees.reduce((sum, fee) => sum + fee, 0n);
    const more = { transaction, type: this.#random() < 0.5 ? '' : 'debit', datedMs, postedMs };
    const debited = (principal * times) / by;
    if (how.isBeside ?? FEES_BESIDE[currency]) {
      const isFeeFirst = this.#random() < 0.3;
      const parts = isFeeFirst ? [...fees, debited] : [debited, ...fees];
      for (const part of parts) this.#model.post(currency, -part, datedMs, id, more);
    } else {
      this.#model.post(currency, -(debited + feeTotal), datedMs, id, more);
    }
  }

  #expectPayment({ currency, atMs, principal, fees, id }: PaymentPlan, isFunded = true): void {
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
    this.#listed.push(fact);
  }

  /** It is dated when it was made, and changed the balance hours later. */
  #payLate(): void {
    const plan = this.#plan(this.#random() < 0.5 ? 'USD' : 'EUR');
    this.#late.add(plan.id);
    this.#pay({ ...plan, atMs: this.#dayMs + this.#below(12 * 60 * MINUTE_MS) }, { lateMs: 5 * 60 * MINUTE_MS });
  }

  /** Its outcome is unknown; half of them were funded. */
  #payUnknown(): void {
    const plan = this.#plan('USD', { isUnique: true });
    this.#expectPayment(plan, false);
    if (this.#random() < 0.5) this.#pay(plan, { isExpected: false });
  }

  #convert(legs: 'both' | 'sold' | 'bought'): string {
    const id = this.#id('conversion');
    const [sell, buy] = this.#random() < 0.5 ? (['USD', 'EUR'] as const) : (['EUR', 'KWD'] as const);
    const isUnique = legs !== 'both';
    const sold = isUnique ? this.#uniqueAmount(sell) : this.#amount();
    const bought = isUnique ? this.#uniqueAmount(buy) : this.#amount();
    const atMs = isUnique ? this.#timeApart(sell) : this.#time();
    const fee = BigInt(50 + this.#below(50));
    const completedMs = atMs + this.#below(60 * MINUTE_MS);
    const transaction = this.#model.nextTransaction();
    if (legs !== 'bought') this.#model.post(sell, -(sold + fee), atMs + 1000, id, { transaction });
    if (legs !== 'sold') this.#model.post(buy, bought, completedMs, id, { transaction });
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
    this.#listed.push(fact);
    return id;
  }

  #refund(how: 'whole' | 'missing' | 'short' | 'orphan', currency: Currency): string {
    const id = this.#id('refund');
    const principal = how === 'whole' ? this.#amount() : this.#uniqueAmount(currency);
    const [fee, atMs] = [BigInt(100 + this.#below(400)), this.#time()];
    const isOrphan = how === 'orphan';
    const credited = FEES_REFUNDED[currency] || isOrphan ? principal + fee : principal;
    if (how !== 'missing') this.#model.post(currency, how === 'short' ? (principal * 6n) / 10n : credited, atMs, id);
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
    this.#model.post(currency, amount, atMs + this.#below(5 * MINUTE_MS), id);
    if (how === 4) this.#model.post(currency, amount, atMs + this.#below(5 * MINUTE_MS), id);
    const told = { ...receipt, providerId: `in-${id}` };
    if (how !== 0) this.#facts.push(receiptFact('funding', { ...told, factId: `${id}-funding` }, HOUR_DELAYS));
    if (how !== 1) this.#facts.push(receiptFact('deposit', { ...told, factId: `${id}-deposit` }, HOUR_DELAYS));
  }

  /** The facts that an action adds, taken back: payrun did not do it. */
  #recorded(action: () => void): { facts: Fact[] } {
    const [facts, listed] = [this.#facts.length, this.#listed.length];
    action();
    this.#listed.splice(listed);
    return { facts: this.#facts.splice(facts) };
  }

  #amount(): bigint {
    return BigInt(10_000 + this.#below(9_000_000));
  }

  /** Of a size that no other amounts have. */
  #uniqueAmount(currency: Currency): bigint {
    for (;;) {
      const amount = BigInt(20_000_000 + this.#below(500_000_000));
      const key = `${currency} ${amount}`;
      if (this.#amounts.has(key)) continue;
      this.#amounts.add(key);
      return amount;
    }
  }

  #oneOf<Item>(items: readonly Item[]): Item {
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
  #timeApart(currency: Currency): number {
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

/** A thousand billion more. */
function raised(amount: string): string {
  const [whole = '0', fraction] = amount.split('.');
  return `${BigInt(whole) + 10n ** 12n}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** Another last digit but one. */
function shifted(amount: string): string {
  const at = amount.length - 2;
  return `${amount.slice(0, at)}${amount[at] === '9' ? '1' : '9'}${amount.slice(at + 1)}`;
}
