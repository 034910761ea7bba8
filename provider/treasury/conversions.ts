import { type ApiCall, type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import {
  type Conversion,
  type ConversionQuote,
  type ConversionQuoteRequest,
  conversionAnswer,
  conversionQuoteAnswer,
  conversionQuoteSent,
  type FindConversions,
  findConversionsSent,
  fundConversionSent,
  type NewConversion,
  newConversionSent,
} from './conversion-fields.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/sent-fields.ts';

/**
 * Contract: payments 2.3, 2.4, 4.3. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. None is
 * repeated by itself: after an unknown outcome of `create` the caller finds the conversion by its reference, and after
 * one of `fund` the balance tells whether it was debited.
 */
export interface ConversionCalls {
  quote(request: ConversionQuoteRequest, options?: CallOptions): Promise<ConversionQuote>;
  create(conversion: NewConversion, options?: CallOptions): Promise<Conversion>;
  /** Pays it out of the balance. The answer may still say `awaiting_funds`, which is no reason to call it again. */
  fund(request: { conversionId: string }, options?: CallOptions): Promise<Conversion>;
  /**
   * Start inclusive, end exclusive, of a time that the contract does not name, so the window is the provider's alone.
   * Newest first. With `referenceId`, only those that carry exactly this one.
   */
  find(request?: FindConversions, options?: CallOptions): Promise<Conversion[]>;
  item(conversionId: string, options?: CallOptions): Promise<Conversion>;
}

export function createConversionCalls(api: AuthorisedCaller): ConversionCalls {
  return {
    quote: async (request, options) =>
      api.call(
        {
          operation: 'conversion-quote',
          method: 'POST',
          path: '/conversions/v1/quote',
          body: checked('conversion-quote', conversionQuoteSent, request),
          answer: recordOf(conversionQuoteAnswer),
        },
        options,
      ),
    create: async (conversion, options) => {
      const body = checked('conversion-create', newConversionSent, conversion);
      return api.call(writing('conversion-create', '/conversions/v1/create', body), options);
    },
    fund: async (request, options) => {
      const body = checked('conversion-fund', fundConversionSent, request);
      return api.call(writing('conversion-fund', '/conversions/v1/fund', body), options);
    },
    find: async (request = {}, options) => {
      const body = checked('conversion-find', findConversionsSent, request);
      const found = await api.call(
        {
          operation: 'conversion-find',
          method: 'POST',
          path: '/conversions/v1/find',
          body,
          answer: listOf(conversionAnswer),
        },
        options,
      );
      const { referenceId } = body;
      return found
        .filter((conversion) => referenceId === undefined || conversion.referenceId === referenceId)
        .sort((one, other) => createdMs(other) - createdMs(one));
    },
    item: async (id, options) => {
      const path = `/conversions/v1/item/${encodeURIComponent(checked('conversion-get', pathId, id))}`;
      const answer = recordOf(conversionAnswer);
      return api.call({ operation: 'conversion-get', method: 'GET', path, answer }, options);
    },
  };
}

function writing(operation: Operation, path: string, body: object): ApiCall<typeof conversionAnswer> {
  return { operation, method: 'POST', path, body, answer: recordOf(conversionAnswer) };
}

/** One without a readable time comes last. */
function createdMs(conversion: Conversion): number {
  return conversion.createdAt?.epochMs ?? 0;
}
