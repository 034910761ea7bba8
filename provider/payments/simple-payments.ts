import type { z } from 'zod';
import { type Answer, type ApiCall, type CallOptions, listOf, readableListOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { createFileUpload, type FileToUpload, type FileUploader } from '../payment-file/file-upload.ts';
import { checked } from '../calls/invalid-request.ts';
import { pathId } from '../calls/request-fields.ts';
import {
  createRequest,
  type FindSimplePayments,
  findRequest,
  fundRequest,
  type NewSimplePayment,
  type Quote,
  type QuoteRequest,
  quoteAnswer,
  quoteRequest,
  type SimplePayment,
  simplePaymentAnswer,
} from './simple-payment-fields.ts';
import { createUploadUrlCall, type UploadAddress, type UploadUrlRequest } from '../payment-file/upload-url.ts';
import { requiredText } from '../calls/answer-fields.ts';

/**
 * Contract: payments 2.5, 2.6, 4.4. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. None is
 * retried here: after an unknown outcome of `create` or `fund` the caller looks the payment up.
 */
export interface SimplePaymentCalls {
  /** A price for one payment to one beneficiary, valid until `expiresAt`. Free of charge if it is not used. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  create(payment: NewSimplePayment, options?: CallOptions): Promise<SimplePayment>;
  /** Funds the payment from the balance. */
  fund(request: { simplePaymentId: string }, options?: CallOptions): Promise<SimplePayment>;
  /** Start inclusive, end exclusive. The order and the exactness of the filter are not documented. */
  find(request?: FindSimplePayments, options?: CallOptions): Promise<SimplePayment[]>;
  /** As `find`, without unreadable entries: for callers that do not need a complete list. */
  findReadable(request?: FindSimplePayments, options?: CallOptions): Promise<SimplePayment[]>;
  item(simplePaymentId: string, options?: CallOptions): Promise<SimplePayment>;
  /** The address to upload one file to, and the file's id for `create`. */
  uploadUrl(request: UploadUrlRequest, options?: CallOptions): Promise<UploadAddress>;
  /** Uploads a file to its address, without credentials. Does not count towards the request limit. */
  uploadFile(file: FileToUpload, options?: CallOptions): Promise<void>;
  /** Currency and beneficiary country, as `IDR-ID`. */
  supportedLocalCurrencies(options?: CallOptions): Promise<string[]>;
}

function findCall<Schema extends z.ZodType>(request: FindSimplePayments, answer: Answer<Schema>): ApiCall<Schema> {
  return {
    operation: 'simple-payment-find',
    method: 'POST',
    path: '/simple-payments/v1/find',
    body: checked('simple-payment-find', findRequest, request),
    answer,
  };
}

/** The answer to a request for one payment. An answer with another payment's id is unreadable. */
function answerFor(asked: string) {
  // guard: reads-the-one-asked-for
  return simplePaymentAnswer.refine((shown) => shown.simplePaymentId === asked, { path: ['simplePaymentId'] });
}

export function createSimplePaymentCalls(api: AuthorizedCaller, uploader: FileUploader): SimplePaymentCalls {
  return {
    quote: async (request, options) =>
      api.call(
        {
          operation: 'simple-payment-quote',
          method: 'POST',
          path: '/simple-payments/v1/quote',
          body: checked('simple-payment-quote', quoteRequest, request),
          answer: recordOf(quoteAnswer),
        },
        options,
      ),
    create: async (payment, options) =>
      api.call(
        {
          operation: 'simple-payment-create',
          method: 'POST',
          path: '/simple-payments/v1/create',
          body: checked('simple-payment-create', createRequest, payment),
          answer: recordOf(simplePaymentAnswer),
        },
        options,
      ),
    fund: async (request, options) =>
      api.call(
        {
          operation: 'simple-payment-fund',
          method: 'POST',
          path: '/simple-payments/v1/fund',
          body: checked('simple-payment-fund', fundRequest, request),
          answer: recordOf(answerFor(request.simplePaymentId)),
        },
        options,
      ),
    // guard: every-entry-is-read
    find: async (request = {}, options) => api.call(findCall(request, listOf(simplePaymentAnswer)), options),
    findReadable: async (request = {}, options) =>
      api.call(findCall(request, readableListOf(simplePaymentAnswer)), options),
    item: async (id, options) => {
      const path = `/simple-payments/v1/item/${encodeURIComponent(checked('simple-payment-get', pathId, id))}`;
      const answer = recordOf(answerFor(id));
      return api.call({ operation: 'simple-payment-get', method: 'GET', path, answer }, options);
    },
    uploadUrl: createUploadUrlCall(api, uploader),
    uploadFile: createFileUpload(uploader),
    supportedLocalCurrencies: async (options) =>
      api.call(
        {
          operation: 'simple-payment-supported-local-currencies',
          method: 'GET',
          path: '/simple-payments/v1/supported-local-currencies',
          answer: listOf(requiredText),
        },
        options,
      ),
  };
}
