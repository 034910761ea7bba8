import { type ApiCall, type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import {
  type Conversion,
  type ConversionQuote,
  type ConversionQuoteRequest,
  conversionAnswer,
  conversionQuoteAnswer,
  conversionQuoteRequest,
  type FindConversions,
  findConversionsRequest,
  fundConversionRequest,
  type NewConversion,
  newConversionRequest,
} from './conversion-fields.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/request-fields.ts';

/**
 * Contract: payments 2.3, 2.4, 4.3. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. None is
 * retried here: after an unknown outcome of `create` the caller finds the conversion by its reference, and after one of
 * `fund` the balance tells whether it was debited.
 */
export interface ConversionCalls {
  quote(request: ConversionQuoteRequest, options?: CallOptions): Promise<ConversionQuote>;
  create(conversion: NewConversion, options?: CallOptions): Promise<Conversion>;
  /** Funds the conversion from the balance. Do not call it again if the answer is still `awaiting_funds`. */
  fund(request: { conversionId: string }, options?: CallOptions): Promise<Conversion>;
  /**
   * Start inclusive, end exclusive. The contract does not say which time the provider compares with the range. Newest
   * first. With `referenceId`, only conversions with exactly this reference.
   */
  find(request?: FindConversions, options?: CallOptions): Promise<Conversion[]>;
  /**
   * The conversions with exactly this reference, and how many others the answer has: one with others alone has ignored the
   * reference, and proves nothing.
   */
  getByReference(referenceId: string, options?: CallOptions): Promise<{ ours: Conversion[]; others: number }>;
  item(conversionId: string, options?: CallOptions): Promise<Conversion>;
}

export function createConversionCalls(api: AuthorizedCaller): ConversionCalls {
  const findAll = async (request: FindConversions, options?: CallOptions): Promise<Conversion[]> => {
    const body = checked('conversion-find', findConversionsRequest, request);
    const answer = listOf(conversionAnswer);
    return api.call(
      { operation: 'conversion-find', method: 'POST', path: '/conversions/v1/find', body, answer },
      options,
    );
  };
  return {
    quote: async (request, options) =>
      api.call(
        {
          operation: 'conversion-quote',
          method: 'POST',
          path: '/conversions/v1/quote',
          body: checked('conversion-quote', conversionQuoteRequest, request),
          answer: recordOf(conversionQuoteAnswer),
        },
        options,
      ),
    create: async (conversion, options) => {
      const body = checked('conversion-create', newConversionRequest, conversion);
      return api.call(postCall('conversion-create', '/conversions/v1/create', body, conversionAnswer), options);
    },
    fund: async (request, options) => {
      const body = checked('conversion-fund', fundConversionRequest, request);
      const answer = answerFor(request.conversionId);
      return api.call(postCall('conversion-fund', '/conversions/v1/fund', body, answer), options);
    },
    find: async (request = {}, options) => {
      const { referenceId } = checked('conversion-find', findConversionsRequest, request);
      const found = await findAll(request, options);
      return found
        .filter((conversion) => referenceId === undefined || conversion.referenceId === referenceId)
        .sort((one, other) => createdMs(other) - createdMs(one));
    },
    getByReference: async (referenceId, options) => {
      const found = await findAll({ referenceId }, options);
      const ours = found.filter((conversion) => conversion.referenceId === referenceId);
      return { ours, others: found.length - ours.length };
    },
    item: async (id, options) => {
      const path = `/conversions/v1/item/${encodeURIComponent(checked('conversion-get', pathId, id))}`;
      const answer = recordOf(answerFor(id));
      return api.call({ operation: 'conversion-get', method: 'GET', path, answer }, options);
    },
  };
}

/** The answer to a request for one conversion. An answer with another conversion's id is unreadable. */
function answerFor(asked: string): typeof conversionAnswer {
  // guard: conversion-reads-the-one-asked-for
  return conversionAnswer.refine((shown) => shown.conversionId === asked, { path: ['conversionId'] });
}

function postCall(
  operation: Operation,
  path: string,
  body: object,
  answer: typeof conversionAnswer,
): ApiCall<typeof conversionAnswer> {
  return { operation, method: 'POST', path, body, answer: recordOf(answer) };
}

/** 0 without a readable time, so that the conversion comes last. */
function createdMs(conversion: Conversion): number {
  return conversion.createdAt?.epochMs ?? 0;
}
