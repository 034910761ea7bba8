import type {
  NewOrder,
  OrderConfirmation,
  OrderDecision,
  OrderOutcomeRejection,
  OrderDetail,
  OrderListQuery,
  OrderManualOutcomeRequest,
  OrderSummary,
  ConversionDryRun,
} from '../../api/treasury/order.ts';
import type { CostGroup, CostQuery, CostReport } from '../../api/treasury/costs.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { OrderVerb } from '../../application/treasury/decide-orders.ts';
import type { TreasuryApplication } from '../../application/treasury/use-cases.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import { FakeAccounts } from './fake-accounts.ts';

export const ORDER = '018f2a00-0000-7000-8000-0000000000a1';
const NOW = '2026-01-05T09:00:00.000Z';
const TREASURER = { userId: 'user-treasurer', name: 'A treasurer' };

export function anOrderDetail(parts: Partial<OrderDetail> = {}): OrderDetail {
  return {
    ...{ orderId: ORDER, account: 'default', sellCurrency: 'USD', buyCurrency: 'EUR', fixedSide: 'sell' },
    ...{ amount: '1000.00', limitPrice: null, maxCostBps: '50', cap: null, expiresAt: '2026-01-06T09:00:00.000Z' },
    ...{ orderHash: 'a'.repeat(64), approvedUpTo: '1050', state: 'in_approval', stateReason: 'approval_needed' },
    ...{ placedBy: TREASURER, placedAt: NOW, quote: null, reference: null, costBps: null, conversionId: null },
    ...{ providerStatus: null, providerMessage: null, fundingCutoffAt: null, fundedAt: null, completedAt: null },
    ...{
      endedAt: null,
      findings: [],
      providerAmounts: null,
      fundingEvidence: null,
      decisions: [],
      requests: [],
      manualOutcomes: [],
      sentences: { status: 'The total is above what needs none.', toDo: 'A checker approves or rejects the order.' },
    },
    ...parts,
  };
}

/** Orders over plain memory. */
export class FakeTreasury extends FakeAccounts implements TreasuryApplication {
  readonly orders = new Map<string, OrderDetail>();

  async placeOrder(user: SignedIn, order: NewOrder, idempotencyKey: string): Promise<OrderDetail> {
    await this.asked('placeOrder', user, { ...order, idempotencyKey });
    const { account, expiresAt, ...terms } = order;
    const placed = anOrderDetail({
      ...terms,
      account: account ?? 'default',
      expiresAt: expiresAt ?? '2026-01-06T09:00:00.000Z',
    });
    this.orders.set(placed.orderId, placed);
    return placed;
  }

  dryRun: ConversionDryRun | null = null;
  costs: CostGroup[] = [];

  async dryRunOrder(user: SignedIn, order: NewOrder): Promise<ConversionDryRun> {
    await this.asked('dryRunOrder', user, order);
    if (this.dryRun === null) throw new ApplicationError('unavailable', 'there is no quote in time');
    return this.dryRun;
  }

  async readCosts(_user: SignedIn, { from, to }: CostQuery): Promise<CostReport> {
    await this.meet('readCosts');
    return { from, to, groups: this.costs };
  }

  async readRunCosts(): Promise<CostReport | null> {
    await this.meet('readRunCosts');
    return this.costs.length === 0 ? null : { from: '2026-11-01', to: '2026-11-01', groups: this.costs };
  }

  async listOrders(user: SignedIn, { account, state, limit, after }: OrderListQuery): Promise<OrderSummary[]> {
    await this.meet('listOrders');
    const found = [...this.orders.values()].filter(
      (one) =>
        mayUse(user, one.account) &&
        (account === null || one.account === account) &&
        (state === null || one.state === state),
    );
    const begin = found.findIndex(({ orderId }) => orderId === after) + 1;
    return found.slice(begin, begin + limit);
  }

  async findOrder(orderId: string): Promise<OrderDetail | null> {
    await this.meet('findOrder');
    return this.orders.get(orderId) ?? null;
  }

  async decideOrder(user: SignedIn, orderId: string, verb: OrderVerb, decision: OrderDecision): Promise<OrderDetail> {
    await this.asked('decideOrder', user, { orderId, verb, ...decision });
    const state = verb === 'approved' || verb === 'released' ? 'approved' : 'rejected';
    return this.#change(orderId, { state, stateReason: null });
  }

  async proposeOrderManualOutcome(
    user: SignedIn,
    orderId: string,
    proposal: OrderManualOutcomeRequest,
  ): Promise<OrderDetail> {
    await this.asked('proposeOrderManualOutcome', user, { orderId, ...proposal });
    return this.#change(orderId, {});
  }

  async confirmOrderManualOutcome(user: SignedIn, orderId: string, seen: OrderConfirmation): Promise<OrderDetail> {
    await this.asked('confirmOrderManualOutcome', user, { orderId, ...seen });
    return this.#change(orderId, {});
  }

  async rejectOrderManualOutcome(
    user: SignedIn,
    orderId: string,
    rejection: OrderOutcomeRejection,
  ): Promise<OrderDetail> {
    await this.asked('rejectOrderManualOutcome', user, { orderId, ...rejection });
    return this.#change(orderId, {});
  }

  #change(orderId: string, parts: Partial<OrderDetail>): OrderDetail {
    const known = this.orders.get(orderId);
    if (known === undefined) throw new ApplicationError('not_found', `there is no order ${orderId}`);
    const changed = { ...known, ...parts };
    this.orders.set(orderId, changed);
    return changed;
  }
}
