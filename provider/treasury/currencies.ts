import { z } from 'zod';
import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { amount, optionalText, requiredText } from '../calls/answer-fields.ts';

/** Rates are indicative and their direction is not documented: only quotes give prices. */
const rateAnswer = z.looseObject({ currencyPair: optionalText, bid: amount, ask: amount });
type CurrencyRate = z.output<typeof rateAnswer>;

const supportedAnswer = z.looseObject({
  code: requiredText,
  decimalPlaces: z.string().regex(/^\d$/).transform(Number),
  name: optionalText,
});
type SupportedCurrency = z.output<typeof supportedAnswer>;

const currencyPair = z
  .string('give a currency pair')
  .regex(/^[A-Z]{6}$/, 'give six capital letters, buy currency first, as USDSGD');

/** Contract: payments 2.2, 4.2. All three throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface CurrencyCalls {
  /** Buy and sell currency in one word, as `USDSGD`. The provider updates it every minute. */
  rate(pair: string, options?: CallOptions): Promise<CurrencyRate>;
  supported(options?: CallOptions): Promise<SupportedCurrency[]>;
  /** The supported currency pairs, each six letters. */
  pairs(options?: CallOptions): Promise<string[]>;
}

export function createCurrencyCalls(api: AuthorizedCaller): CurrencyCalls {
  return {
    rate: async (pair, options) => {
      const path = `/currencies/v1/rates/${checked('currency-rate', currencyPair, pair)}`;
      return api.call({ operation: 'currency-rate', method: 'GET', path, answer: recordOf(rateAnswer) }, options);
    },
    supported: async (options) =>
      api.call(
        {
          operation: 'currency-supported',
          method: 'GET',
          path: '/currencies/v1/supported',
          answer: listOf(supportedAnswer),
        },
        options,
      ),
    pairs: async (options) =>
      api.call(
        { operation: 'currency-pairs', method: 'GET', path: '/currencies/v1/pairs', answer: listOf(requiredText) },
        options,
      ),
  };
}
