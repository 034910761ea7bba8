import type { z } from 'zod';
import { type Answer, type ApiCall, type CallOptions, listOf, readableListOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { createFileUpload, type FileToUpload, type FileUploader } from '../payment-file/file-upload.ts';
import { checked } from '../calls/invalid-request.ts';
import { pathId } from '../calls/sent-fields.ts';
import {
  createSent,
  type FindSimplePayments,
  findSent,
  fundSent,
  type NewSimplePayment,
  type Quote,
  type QuoteRequest,
  quoteAnswer,
  quoteSent,
  type SimplePayment,
  simplePaymentAnswer,
} from './simple-payment-fields.ts';
import { createUploadUrlCall, type UploadAddress, type UploadUrlRequest } from '../payment-file/upload-url.ts';
import { requiredText } from '../calls/wire-fields.ts';

/**
 * Contract: payments 2.5, 2.6, 4.4. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. None
 * is repeated by itself: after an unknown outcome of `create` or `fund` the caller looks the payment up.
 */
export interface SimplePaymentCalls {
  /** A price, good until `expiresAt`, for one payment to one beneficiary. Costs nothing when it is not used. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  create(payment: NewSimplePayment, options?: CallOptions): Promise<SimplePayment>;
  /** Pays it out of the balance. */
  fund(request: { simplePaymentId: string }, options?: CallOptions): Promise<SimplePayment>;
  /** Start inclusive, end exclusive. In no documented order, and filtered as the provider sees fit. */
  find(request?: FindSimplePayments, options?: CallOptions): Promise<SimplePayment[]>;
  /** As `find`, for those who can do without some of it: entries that cannot be read are left out. */
  findReadable(request?: FindSimplePayments, options?: CallOptions): Promise<SimplePayment[]>;
  item(simplePaymentId: string, options?: CallOptions): Promise<SimplePayment>;
  /** Where to send one file, and the id by which `create` lists it. */
  uploadUrl(request: UploadUrlRequest, options?: CallOptions): Promise<UploadAddress>;
  /** Sends the file to its address, without credentials, and outside the request limit. */
  uploadFile(file: FileToUpload, options?: CallOptions): Promise<void>;
  /** Entries such as `IDR-ID`: currency and beneficiary country. */
  supportedLocalCurrencies(options?: CallOptions): Promise<string[]>;
}

function findCall<Schema extends z.ZodType>(request: FindSimplePayments, answer: Answer<Schema>): ApiCall<Schema> {
  return {
    operation: 'simple-payment-find',
    method: 'POST',
    path: '/simple-payments/v1/find',
    body: checked('simple-payment-find', findSent, request),
    answer,
  };
}

/** An answer that shows another payment says nothing of the one that was asked about. */
function answerOn(asked: string) {
  return simplePaymentAnswer.refine((shown) => shown.simplePaymentId === asked, { path: ['simplePaymentId'] });
}

export function createSimplePaymentCalls(api: AuthorisedCaller, uploader: FileUploader): SimplePaymentCalls {
  return {
    quote: async (request, options) =>
      api.call(
        {
          operation: 'simple-payment-quote',
          method: 'POST',
          path: '/simple-payments/v1/quote',
          body: checked('simple-payment-quote', quoteSent, request),
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
          body: checked('simple-payment-create', createSent, payment),
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
          body: checked('simple-payment-fund', fundSent, request),
          answer: recordOf(answerOn(request.simplePaymentId)),
        },
        options,
      ),
    find: async (request = {}, options) => api.call(findCall(request, listOf(simplePaymentAnswer)), options),
    findReadable: async (request = {}, options) =>
      api.call(findCall(request, readableListOf(simplePaymentAnswer)), options),
    item: async (id, options) => {
      const path = `/simple-payments/v1/item/${encodeURIComponent(checked('simple-payment-get', pathId, id))}`;
      const answer = recordOf(answerOn(id));
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
