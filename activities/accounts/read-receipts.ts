import type { ReceiptRead } from '../../domain/accounts/receipt-schedule.ts';
import { withoutFloatNoise } from '../../domain/money.ts';
import type { CallOptions } from '../../provider/calls/api-call.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ProviderClient } from '../../provider/client.ts';
import { noteFundingAsked, type ShownFunding, storeFundings } from '../../store/accounts/fundings.ts';
import {
  beginPass,
  noteListingAsked,
  noteListingRead,
  noteNextPage,
  noteUnreadable,
} from '../../store/accounts/listings.ts';
import { noteRefundAsked, type ShownRefund, storeRefunds } from '../../store/accounts/refunds.ts';
import type { Database } from '../../store/database/database.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { callProvider, callRepeatable } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const NOT_FOUND = 404;

/** Of a provider whose pages never end, the rest is left to the next pass. */
const MAX_PAGES = 1_000;

/**
 * Reads, in one request, what may explain money that came in: all refunds, a page of fundings, or one of either that a
 * notification named. A read proves nothing of the money either: only the history does. Contract: account 2.7, 2.8, 4.5.
 */
export function readReceiptsActivity({ database, provider }: ActivityDependencies) {
  return async function readReceipts({ account, read }: { account: string; read: ReceiptRead }): Promise<void> {
    const from = { database, account, client: provider(account) };
    switch (read.kind) {
      case 'refunds':
        return listRefunds(from);
      case 'refund':
        return findRefund(from, read.id);
      case 'fundings':
        return listFundings(from, read.page);
      case 'funding':
        return findFunding(from, read.id);
    }
  };
}

interface From {
  database: Database;
  account: string;
  client: ProviderClient;
}

async function listRefunds({ database, account, client }: From): Promise<void> {
  await noteListingAsked(database, account, 'refunds');
  const readAt = await beginReading(database);
  const { value } = await callRepeatable((options) => client.refunds.listReadable(options));
  const { entries, unreadable } = value;
  await storeRefunds(database, account, entries.map(shownRefundOf));
  await noteUnreadable(database, account, 'refunds', unreadable);
  await noteListingRead(database, account, { kind: 'refunds', readAt });
}

async function findRefund({ database, account, client }: From, id: string): Promise<void> {
  await noteRefundAsked(database, account, id);
  const refund = await orNull((options) => client.refunds.get(id, options));
  if (refund !== null) await storeRefunds(database, account, [shownRefundOf(refund)]);
}

/**
 * The list has no order, and neither the first page's number nor the size of a page is documented: the first request has no
 * number, and its answer may be page 0 or page 1. It ends with an empty page, or from the third request on with one that
 * shows nothing new. A funding that moves to another page meanwhile is found by the next pass, or by its notification.
 */
async function listFundings({ database, account, client }: From, page: number | null): Promise<void> {
  await noteListingAsked(database, account, 'fundings');
  const pass = await beginPass(database, account, 'fundings');
  const readAt = await beginReading(database);
  const request = page === null ? {} : { page };
  const { value } = await callRepeatable((options) => client.fundings.pageReadable(request, options));
  const { entries: fundings, unreadable } = value;
  await noteUnreadable(database, account, 'fundings', unreadable);
  const isNew = await storeFundings(database, account, fundings.map(shownFundingOf), { readAt, pass });
  const asked = page ?? 0;
  const isEnd = fundings.length + unreadable.length === 0 || (asked >= 2 && isNew === 0) || asked >= MAX_PAGES;
  await (isEnd
    ? noteListingRead(database, account, { kind: 'fundings', readAt: pass })
    : noteNextPage(database, account, 'fundings', asked + 1));
}

async function findFunding({ database, account, client }: From, id: string): Promise<void> {
  await noteFundingAsked(database, account, id);
  const readAt = await beginReading(database);
  const funding = await orNull((options) => client.fundings.get(id, options));
  if (funding !== null) await storeFundings(database, account, [shownFundingOf(funding)], { readAt, pass: null });
}

/** Anybody may send a notification of something that there is not. */
async function orNull<T>(call: (options: CallOptions) => Promise<T>): Promise<T | null> {
  const reply = await callProvider(call);
  if (!(reply instanceof ProviderFailure)) return reply.value;
  if (reply.httpStatus === NOT_FOUND) return null;
  throw retryLater(reply);
}

function shownRefundOf(refund: Awaited<ReturnType<ProviderClient['refunds']['get']>>): ShownRefund {
  const { id, resource, resourceId, currency, amount, remarks } = refund;
  return { id, resource, resourceId, currency, amount: withoutFloatNoise(amount), remarks };
}

function shownFundingOf(funding: Awaited<ReturnType<ProviderClient['fundings']['get']>>): ShownFunding {
  const { id, balanceId, currency, amount, reference, status } = funding;
  return { id, balanceId, currency, amount: withoutFloatNoise(amount), reference, status };
}
