import { DayGenerator, FEES_BESIDE, MINUTE_MS } from './day-generator.ts';
import type { GeneratedDay } from './generated-day.ts';

/** A day with two of each of the ten breaks. */
export class PlantedDayGenerator extends DayGenerator {
  protected override plant(): void {
    for (const currency of ['USD', 'JPY'] as const) {
      // Another amount: a little more, and a little less than half as much again.
      const wrong = this.plan(currency, { isUnique: true });
      this.pay(wrong, { factor: currency === 'USD' ? [103n, 100n] : [14n, 10n] });
      this.note('wrong_amount', currency, [wrong.id], FEES_BESIDE[currency] ? [wrong.id, wrong.id] : [wrong.id]);
      const missing = this.plan(currency, { isUnique: true });
      this.expectPayment(missing);
      this.note('missing_entry', currency, [missing.id], []);
      const refundId = this.refund(currency === 'USD' ? 'missing' : 'short', currency);
      this.note('refund_missing_or_short', currency, [refundId], currency === 'USD' ? [] : [refundId]);
      const orphan = this.refund('orphan', currency);
      this.note('refund_without_payment', currency, [orphan], [orphan]);
    }
    // One more debit of the 300 equal ones, which may be any of them.
    const again = this.plan('USD', { principal: 25_000n, fees: [150n] });
    this.pay(again);
    this.model.post('USD', -25_150n, again.atMs + 3 * MINUTE_MS, 'again');
    this.note('double_entry', 'USD', [], ['*']);
    const beside = this.plan('USD', { isUnique: true });
    this.pay(beside, { isBeside: true });
    this.note('fee_differs', 'USD', [beside.id], [beside.id, beside.id]);
    const otherFee = this.plan('JPY', { isUnique: true });
    this.pay(otherFee, { fees: [otherFee.fees[0]! + 7n] });
    this.note('fee_differs', 'JPY', [otherFee.id], [otherFee.id, otherFee.id]);
    this.note('conversion_leg', '', [this.convert('sold')], []);
    this.note('conversion_leg', '', [this.convert('bought')], []);
    this.model.post('EUR', -this.uniqueAmount('EUR'), this.timeApart('EUR'), 'unexplained');
    this.note('unexplained_entry', 'EUR', [], ['unexplained']);
    const dashboard = this.plan('EUR', { isUnique: true });
    const { facts } = this.recorded(() => this.pay(dashboard));
    this.listed.push(...facts);
    this.note('unexplained_entry', 'EUR', [dashboard.id], [dashboard.id]);
  }

  protected override shown(day: GeneratedDay): GeneratedDay {
    const lost = this.oneOf(day.lines.filter(({ line }) => line.currency === 'KWD').slice(10, -10));
    day.lines.splice(day.lines.indexOf(lost), 1);
    this.note('chain_broken', 'KWD', [], ['*']);
    // Beside an entry that was posted late nobody could tell where that belongs.
    const euros = day.lines.filter(({ line }) => line.currency === 'EUR');
    const isLate = (at: number): boolean => this.late.has(euros[at]?.tag ?? '');
    const wrong = this.oneOf(euros.filter((_, at) => at > 0 && ![at - 1, at, at + 1].some(isLate)));
    // Its change is right, but not its balances.
    wrong.line.amountBefore = raised(wrong.line.amountBefore);
    wrong.line.amountAfter = raised(wrong.line.amountAfter);
    this.note('chain_broken', 'EUR', [], [wrong.tag]);
    const copied = this.oneOf(day.lines.filter(({ line }) => line.currency === 'JPY'));
    day.lines.push({ line: { ...copied.line, id: 'h-copy' }, tag: 'copy' });
    this.note('double_entry', 'JPY', [], ['*']);
    for (const currency of ['USD', 'JPY'] as const) {
      const balance = day.balances[currency];
      if (balance !== undefined) balance.closing = shifted(balance.closing);
      this.note('closing_differs', currency, [], ['*']);
    }
    return day;
  }
}

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
