import { z } from 'zod';
import { type CallOptions, digestedListOf, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { pathId } from '../calls/request-fields.ts';
import { amount, optionalText, requiredText } from '../calls/answer-fields.ts';

/**
 * Returned money: `resource` and `resourceId` name what was refunded, as `simple_payment`. Only its webhook has a
 * status. Contract: account 2.8.
 */
const refundAnswer = z.looseObject({
  id: requiredText,
  resource: optionalText,
  resourceId: optionalText,
  currency: requiredText,
  amount,
  remarks: optionalText,
});
type Refund = z.output<typeof refundAnswer>;

/** Contract: account 2.8, 4.5. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface RefundCalls {
  get(refundId: string, options?: CallOptions): Promise<Refund>;
  /** All refunds: neither pages nor a filter are documented. */
  list(options?: CallOptions): Promise<Refund[]>;
  /** As `list`, without entries that cannot be read, and a digest of each of these. */
  listReadable(options?: CallOptions): Promise<{ entries: Refund[]; unreadable: string[] }>;
}

const LIST = { operation: 'refund-list', method: 'GET', path: '/v2/refunds' } as const;

export function createRefundCalls(api: AuthorizedCaller): RefundCalls {
  return {
    get: async (id, options) => {
      const path = `/v2/refunds/${encodeURIComponent(checked('refund-get', pathId, id))}`;
      return api.call({ operation: 'refund-get', method: 'GET', path, answer: recordOf(refundAnswer) }, options);
    },
    list: async (options) => api.call({ ...LIST, answer: listOf(refundAnswer) }, options),
    listReadable: async (options) => api.call({ ...LIST, answer: digestedListOf(refundAnswer) }, options),
  };
}
