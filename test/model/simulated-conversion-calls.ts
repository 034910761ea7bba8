import { MAY_TAKE_EFFECT_MS } from '../../domain/treasury/funding-evidence.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { decimal, minor, timestamp } from './shown-values.ts';
import { type Pair, type ProviderConversion, SimulatedConversions } from './simulated-conversions.ts';
import { type Circumstances, readThrough, sendThrough, someFactor } from './simulated-transport.ts';

/** The calls of a client that convert money. */

type QuoteRequest = Pair & { amount: string };

/** Later than that it has forgotten what it was asked. */
const FORGOTTEN_MS = 6 * 24 * 3_600_000;

export function simulatedConversionCalls(of: Circumstances) {
  const { conversions } = of.provider;
  const conversionCalls = {
    quote: ({ amount, ...pair }: QuoteRequest, options?: CallOptions) =>
      readThrough(of, 'conversion-quote', options, () => shownQuote(pair, conversions.quote(pair, minor(amount)))),
    create: ({ quoteId, referenceId = '' }: { quoteId: string; referenceId?: string }, options?: CallOptions) => {
      const acceptedMs = of.now();
      const priceFactor = someFactor(of);
      const carryOut = () => shown(conversions.create(quoteId, referenceId, acceptedMs, priceFactor));
      const asked = { kind: 'create', referenceId, untilMs: acceptedMs + FORGOTTEN_MS, carryOut } as const;
      return sendThrough(of, 'conversion-create', options, asked);
    },
    fund: ({ conversionId }: { conversionId: string }, options?: CallOptions) => {
      const acceptedMs = of.now();
      const { referenceId } = conversions.find(conversionId);
      const carryOut = () => shown(conversions.fund(conversionId, acceptedMs));
      const lateMs = conversions.takesMoneyTwice ? MAY_TAKE_EFFECT_MS : FORGOTTEN_MS;
      const asked = { kind: 'fund', referenceId, untilMs: acceptedMs + lateMs, carryOut } as const;
      return sendThrough(of, 'conversion-fund', options, asked);
    },
    getByReference: (referenceId: string, options?: CallOptions) =>
      readThrough(of, 'conversion-find', options, () => ({
        ours: of.provider
          .listed(conversions.all)
          .filter((conversion) => conversion.referenceId === referenceId)
          .map(shown),
        others: 0,
      })),
    item: (id: string, options?: CallOptions) =>
      readThrough(of, 'conversion-get', options, () => shown(conversions.find(id))),
  };
  const currencies = {
    /** The pair has what is bought first. */
    rate: (pair: string, options?: CallOptions) =>
      readThrough(of, 'currency-rate', options, () => {
        const price = SimulatedConversions.priceOf({ buyCurrency: pair.slice(0, 3), sellCurrency: pair.slice(3) });
        const middle = String(1 / price);
        return { currencyPair: pair, bid: middle, ask: middle };
      }),
  };
  return { conversions: conversionCalls, currencies };
}

function shownQuote(pair: Pair, quote: { quoteId: string; sell: number; buy: number; fee: number }) {
  const { quoteId, sell, buy, fee } = quote;
  return {
    ...{ ...pair, quoteId, currencyPair: null, rate: String(sell / buy), totalFees: decimal(fee) },
    ...{ sellAmount: decimal(sell), buyAmount: decimal(buy), totalAmount: decimal(sell + fee) },
  };
}

function shown({ id, referenceId, status, pair, sell, buy, fee, createdMs, cutOffMs }: ProviderConversion) {
  return {
    ...{ ...pair, conversionId: id, referenceId, status, currencyPair: null, rate: String(sell / buy) },
    ...{
      sellAmount: decimal(sell),
      buyAmount: decimal(buy),
      totalAmount: decimal(sell + fee),
      totalFees: decimal(fee),
    },
    ...{ createdAt: timestamp(createdMs), fundingCutoffTime: timestamp(cutOffMs) },
  };
}
