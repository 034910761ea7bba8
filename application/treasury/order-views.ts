import type { OrderDetail, OrderFinding, OrderListQuery, OrderSummary } from '../../api/treasury/order.ts';
import { ratioOf } from '../../domain/rates/ratio.ts';
import type { GuardFinding } from '../../domain/treasury/conversion-guards.ts';
import { basisPointsText, costInBasisPoints, priceOf, referencePrice } from '../../domain/treasury/conversion-price.ts';
import { orderSentences } from '../../domain/treasury/order-sentences.ts';
import type { Queryable } from '../../store/database/database.ts';
import { readConversionLimits } from '../../store/treasury/order-guards.ts';
import {
  findOrderView,
  listOrderDecisions,
  listOrderRequests,
  listOrderManualOutcomes,
  listOrderViews,
  type OrderView,
} from '../../store/treasury/order-views.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, type SignedIn } from '../users/signed-in.ts';

/** The newest first. */
export async function listOrders(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, ...page }: OrderListQuery,
): Promise<OrderSummary[]> {
  const views = await listOrderViews(database, { accounts: accountsOf(user, account), ...page });
  return Promise.all(views.map((view) => summaryOf(database, view)));
}

/** Null when there is no such order. */
export async function findOrder({ database }: ApplicationDependencies, orderId: string): Promise<OrderDetail | null> {
  const view = await findOrderView(database, orderId);
  if (view === null) return null;
  const decisions = await listOrderDecisions(database, orderId);
  const requests = await listOrderRequests(database, orderId);
  const manualOutcomes = await listOrderManualOutcomes(database, orderId);
  const { shown, debitEvidence, debitLookedForAt } = view;
  return {
    ...(await summaryOf(database, view)),
    findings: (view.findings ?? []).map(shownFinding),
    providerAmounts:
      shown === null
        ? null
        : { sellAmount: shown.sellAmount, buyAmount: shown.buyAmount, totalAmount: shown.totalAmount },
    fundingEvidence:
      debitEvidence === null || debitLookedForAt === null
        ? null
        : { debit: debitEvidence, readAt: debitLookedForAt.toISOString() },
    decisions: decisions.map(({ at, ...decision }) => ({ ...decision, at: at.toISOString() })),
    requests: requests.map(({ begunAt, answeredAt, ...request }) => ({
      ...request,
      begunAt: begunAt.toISOString(),
      answeredAt: iso(answeredAt),
    })),
    manualOutcomes: manualOutcomes.map(({ proposedAt, closedAt, ...manualOutcome }) => ({
      ...manualOutcome,
      proposedAt: proposedAt.toISOString(),
      closedAt: iso(closedAt),
    })),
    sentences: orderSentences({ ...view, decisions, manualOutcomes }),
  };
}

async function summaryOf(database: Queryable, view: OrderView): Promise<OrderSummary> {
  const { terms, quote, reference, stateReason } = view;
  return {
    ...terms,
    orderHash: view.orderHash,
    approvedUpTo: view.approvedUpTo,
    state: view.state,
    stateReason,
    placedBy: view.placedBy,
    placedAt: view.placedAt.toISOString(),
    quote:
      quote === null
        ? null
        : {
            sellAmount: quote.sellAmount,
            buyAmount: quote.buyAmount,
            totalAmount: quote.totalAmount,
            totalFees: quote.totalFees,
            rate: quote.rate,
            quotedAt: isoOfMs(view.quotedAtMs),
          },
    reference: reference?.source ?? null,
    costBps: await costOf(database, view),
    conversionId: view.conversionId,
    providerStatus: view.providerStatus,
    providerMessage: view.providerMessage,
    fundingCutoffAt: isoOfMs(view.fundingCutoffMs),
    fundedAt: isoOfMs(view.fundedAtMs),
    completedAt: isoOfMs(view.completedAtMs),
    endedAt: iso(view.endedAt),
  };
}

function isoOfMs(timeMs: number | null): string | null {
  return timeMs === null ? null : new Date(timeMs).toISOString();
}

/** Null: there is no quote, or no reference price that it could be compared with. */
async function costOf(database: Queryable, { terms, quote, reference }: OrderView): Promise<string | null> {
  if (quote === null || reference === null || reference.middle === null) return null;
  const { direction } = await readConversionLimits(database, terms);
  const middle = ratioOf(reference.middle.numerator, reference.middle.denominator);
  const { price } = referencePrice(quote, middle, reference.isPrice ? 'direct' : direction);
  return price === null ? null : basisPointsText(costInBasisPoints(priceOf(quote), price));
}

/** A finding of a guard, in the words of the API. */
export function shownFinding({ guard, verdict, code, says }: GuardFinding): OrderFinding {
  return { guard, verdict, code, message: says };
}
