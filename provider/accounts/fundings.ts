import { z } from 'zod';
import { type CallOptions, digestedListOf, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import { pathId, nonEmptyText } from '../calls/request-fields.ts';
import type { FundingStatus } from '../statuses.ts';
import { amount, optionalText, requiredText } from '../calls/answer-fields.ts';

/** Incoming money. `reference` is the funding's own, not a payment's. Contract: account 2.7. */
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

/** `completed` and `pending` are documented; the provider may refuse any other status. */
interface FundingFilter {
  status?: FundingStatus;
}

const pageRequest = z.strictObject({
  status: nonEmptyText.optional(),
  page: z.number('give a page number').int('give a whole page number').min(0, 'give a page number').optional(),
});
type FundingPage = FundingFilter & { page?: number };

/** Contract: account 2.7, 4.5. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface FundingCalls {
  get(fundingId: string, options?: CallOptions): Promise<Funding>;
  /** One request. Neither the first page's number nor the size of a page is documented. */
  page(request?: FundingPage, options?: CallOptions): Promise<Funding[]>;
  /** As `page`, without fundings that cannot be read, and a digest of each of these. */
  pageReadable(request?: FundingPage, options?: CallOptions): Promise<{ entries: Funding[]; unreadable: string[] }>;
  /**
   * All pages, one request each, in the provider's order. A funding that is on two pages is listed once, as last read.
   */
  list(filter?: FundingFilter, options?: CallOptions): Promise<Funding[]>;
}

const LIST = { operation: 'funding-list', method: 'GET' } as const;

export function createFundingCalls(api: AuthorizedCaller): FundingCalls {
  const page: FundingCalls['page'] = async (request = {}, options) =>
    api.call({ ...LIST, path: pathOfPage(request), answer: listOf(fundingAnswer) }, options);
  return {
    get: async (id, options) => {
      const path = `/v2/fundings/${encodeURIComponent(checked('funding-get', pathId, id))}`;
      return api.call({ operation: 'funding-get', method: 'GET', path, answer: recordOf(fundingAnswer) }, options);
    },
    page,
    pageReadable: async (request = {}, options) =>
      api.call({ ...LIST, path: pathOfPage(request), answer: digestedListOf(fundingAnswer) }, options),
    list: async ({ status } = {}, options) =>
      allPages((number) =>
        page({ ...(status === undefined ? {} : { status }), ...(number === null ? {} : { page: number }) }, options),
      ),
  };
}

function pathOfPage(request: FundingPage): string {
  const filter = checked('funding-list', pageRequest, request);
  const query = new URLSearchParams();
  if (filter.page !== undefined) query.set('pagination[page]', String(filter.page));
  if (filter.status !== undefined) query.set('status', filter.status);
  return query.size === 0 ? '/v2/fundings' : `/v2/fundings?${query.toString()}`;
}

/**
 * Reads pages until one is empty, or until one from the third request on has nothing new (a provider that ignores the
 * page number). The first request has no page number. Its answer may be page 0 or page 1, so page 1 is requested next.
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
