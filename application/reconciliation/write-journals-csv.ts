import { subtractAmounts } from '../../domain/money.ts';
import { dayOfEntry } from '../../domain/reconciliation/movement.ts';
import { type RealisedExchange, realisedExchanges } from '../../domain/reconciliation/realised-exchange.ts';
import { exchangeCosts } from '../../domain/rates/exchange-costs.ts';
import { ratioOf, ratioText } from '../../domain/rates/ratio.ts';
import { newestReference, type ReferenceRates } from '../../domain/rates/reference-rates.ts';
import { type Columns, csvTable } from '../payment-file/csv-pieces.ts';
import type { ReconciliationReport, ReportedLine } from './reconciliation-report.ts';

/** What an accountant books from the days of an account. */

const FEE_CLASSES: readonly ReportedLine['entryClass'][] = ['payment_fee', 'conversion_fee', 'refund_fee'];

const FEE_COLUMNS: Columns<ReportedLine> = [
  ['currency', ({ movement }) => movement.currency],
  ['day', ({ movement }) => dayOfEntry(movement)],
  ['entry_id', ({ movement }) => movement.entryId],
  ['transaction_id', ({ movement }) => movement.transactionId],
  ['class', ({ entryClass }) => entryClass],
  ['amount', ({ amount }) => amount],
  ['fact', ({ factId }) => factId],
];

/**
 * fees.csv: a line for every fee, alone or within another entry, in the order of the history. Fees are negative; one that comes back with a
 * refund is positive.
 */
export function writeFeesCsv({ lines }: ReconciliationReport): AsyncGenerator<string, void, undefined> {
  return csvTable(
    FEE_COLUMNS,
    lines.filter(({ entryClass }) => FEE_CLASSES.includes(entryClass)),
  );
}

interface ExchangeRow extends RealisedExchange {
  rate: string;
  referenceRate: string | null;
  source: string | null;
  /** What the bought money is worth at the reference rate, less what was sold; in the sold currency. */
  difference: string | null;
}

const RATE_DECIMALS = 8;

const EXCHANGE_COLUMNS: Columns<ExchangeRow> = [
  ['conversion', ({ factId }) => factId],
  ['sold_on', ({ sold }) => sold.day],
  ['sold_currency', ({ sold }) => sold.currency],
  ['sold', ({ sold }) => sold.amount],
  ['bought_on', ({ bought }) => bought.day],
  ['bought_currency', ({ bought }) => bought.currency],
  ['bought', ({ bought }) => bought.amount],
  ['rate', ({ rate }) => rate],
  ['reference_rate', ({ referenceRate }) => referenceRate],
  ['reference_source', ({ source }) => source],
  ['exchange_difference', ({ difference }) => difference],
];

/**
 * exchange.csv: a line for every conversion of which both entries are in these days. Rates are units bought for one sold; the
 * reference rate is the newest one that was kept for the day of the bought money. `rates`: the newest first.
 */
export function writeExchangeCsv(
  { lines }: ReconciliationReport,
  rates: readonly ReferenceRates[],
): AsyncGenerator<string, void, undefined> {
  return csvTable(
    EXCHANGE_COLUMNS,
    realisedExchanges(lines).map((exchange) => compared(exchange, rates)),
  );
}

function compared(exchange: RealisedExchange, rates: readonly ReferenceRates[]): ExchangeRow {
  const { sold, bought } = exchange;
  const rate = ratioText(ratioOf(bought.amount, sold.amount), RATE_DECIMALS);
  const known = newestReference(rates, { sell: sold.currency, buy: bought.currency }, bought.day);
  if (known === null) return { ...exchange, rate, referenceRate: null, source: null, difference: null };
  const { exchange: cost } = exchangeCosts(
    { sellAmount: sold.amount, totalAmount: sold.amount, buyAmount: bought.amount, reference: known.middle },
    sold.decimals,
  );
  return {
    ...{ ...exchange, rate, source: known.source },
    referenceRate: ratioText(known.middle, RATE_DECIMALS),
    difference: cost === null ? null : subtractAmounts('0', cost),
  };
}
