import { z } from 'zod';
import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { pathId, sentText } from '../calls/sent-fields.ts';
import type { FundingStatus } from '../payments/payment-statuses.ts';
import { amount, optionalText, requiredText } from '../calls/wire-fields.ts';

/** Money that came in. `reference` is the funding's own: it is no payment's. Contract: account 2.7. */
const fundingAnswer = z
  .looseObject({
    id: requiredText,
    balanceId: optionalText,
    accountId: optionalText,
    accountID: optionalText,
    currency: requiredText,
    amount,
    reference: optionalText,
    status: requiredText.transform((status): FundingStatus => status),
  })
  .transform(({ accountID, ...funding }) => ({ ...funding, accountId: funding.accountId ?? accountID }));
type Funding = z.output<typeof fundingAnswer>;

/** `completed` and `pending` are documented; any other status is passed on, and may be refused. */
interface FundingFilter {
  status?: FundingStatus;
}

const pageSent = z.strictObject({
  status: sentText.optional(),
  page: z.number('give a page number').int('give a whole page number').min(0, 'give a page number').optional(),
});
type FundingPage = FundingFilter & { page?: number };

/** Contract: account 2.7, 4.5. All three throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface FundingCalls {
  get(fundingId: string, options?: CallOptions): Promise<Funding>;
  /** One request. Neither the first page's number nor the size of a page is documented. */
  page(request?: FundingPage, options?: CallOptions): Promise<Funding[]>;
  /** All pages, one request each, in the provider's order. What moved between pages is listed once, as last read. */
  list(filter?: FundingFilter, options?: CallOptions): Promise<Funding[]>;
}

export function createFundingCalls(api: AuthorisedCaller): FundingCalls {
  const page: FundingCalls['page'] = async (request = {}, options) => {
    const sent = checked('funding-list', pageSent, request);
    const query = new URLSearchParams();
    if (sent.page !== undefined) query.set('pagination[page]', String(sent.page));
    if (sent.status !== undefined) query.set('status', sent.status);
    const path = query.size === 0 ? '/v2/fundings' : `/v2/fundings?${query.toString()}`;
    return api.call({ operation: 'funding-list', method: 'GET', path, answer: listOf(fundingAnswer) }, options);
  };
  return {
    get: async (id, options) => {
      const path = `/v2/fundings/${encodeURIComponent(checked('funding-get', pathId, id))}`;
      return api.call({ operation: 'funding-get', method: 'GET', path, answer: recordOf(fundingAnswer) }, options);
    },
    page,
    list: async ({ status } = {}, options) =>
      allPages((number) =>
        page({ ...(status === undefined ? {} : { status }), ...(number === null ? {} : { page: number }) }, options),
      ),
  };
}

/**
 * Reads pages until one is empty, or until one from the second on shows nothing new (a provider that ignores the
 * number). The first request names no page. Whether its answer was page 0 or page 1 is not known, so page 1 is asked
 * for next: seen before, it was page 1.
 */
async function allPages<Entry extends { id: string }>(
  read: (page: number | null) => Promise<Entry[]>,
): Promise<Entry[]> {
  const seen = new Map<string, Entry>();
  for (let page = 0; ; page += 1) {
    const entries = await read(page === 0 ? null : page);
    const known = seen.size;
    for (const entry of entries) seen.set(entry.id, entry);
    if (entries.length === 0 || (page >= 2 && seen.size === known)) return [...seen.values()];
  }
}
