import { type CostReport, costReportSchema } from '../../api/treasury/costs.ts';
import {
  type ActionableOrder,
  actionableOrderSchema,
  type NewOrderRequest,
  type OrderConfirmation,
  type OrderDecisionRequest,
  type OrderDenialRequest,
  type OrderDetail,
  orderDetailSchema,
  type OrderPage,
  orderPageSchema,
  type OrderResolution,
  type OrderSummary,
  type OrderTrial,
  orderTrialSchema,
} from '../../api/treasury/order.ts';
import type { JsonCaller } from './json-caller.ts';

/** Conversions of money of one balance into another currency. */
export interface TreasuryCalls {
  readonly treasury: {
    /**
     * Places an order. The same order under the same key is the same one, so it may be repeated. Throws `conflict` for another
     * order under the key, and while one of the same two currencies is open.
     */
    place(order: NewOrderRequest, idempotencyKey: string): Promise<OrderDetail>;
    /** What the order would be quoted at now, and what each guard would say. Nothing is committed. */
    tryOut(order: NewOrderRequest): Promise<OrderTrial>;
    /** The newest first. `nextAfter` is `after` of the next page; null: this is the last. */
    list(page?: {
      account?: string | null;
      state?: OrderSummary['state'] | null;
      limit?: number;
      after?: string | null;
    }): Promise<OrderPage>;
    get(orderId: string): Promise<ActionableOrder>;
    /** By another person than who placed it, on the terms with this hash. */
    approve(orderId: string, decision: OrderDecisionRequest): Promise<OrderDetail>;
    decline(orderId: string, decision: OrderDecisionRequest): Promise<OrderDetail>;
    /** By who placed it. */
    withdraw(orderId: string, decision: OrderDecisionRequest): Promise<OrderDetail>;
    /** A held order of which the provider has nothing is quoted again. */
    release(orderId: string, decision: OrderDecisionRequest): Promise<OrderDetail>;
    /** Proposes what became of an order; a second person confirms it. */
    proposeResolution(orderId: string, proposal: OrderResolution): Promise<OrderDetail>;
    confirmResolution(orderId: string, seen: OrderConfirmation): Promise<OrderDetail>;
    denyResolution(orderId: string, denial: OrderDenialRequest): Promise<OrderDetail>;
    /** What payments and conversions have cost. `from` and `to`: days (YYYY-MM-DD), inclusive. */
    costs(query: { from: string; to: string; by?: 'currency' | 'run'; account?: string | null }): Promise<CostReport>;
  };
}

/** A quote may wait for a worker. */
const TRIAL_TIMEOUT_MS = 120_000;

export function treasuryCalls(call: JsonCaller): TreasuryCalls {
  const pathOf = (orderId: string): string => `/treasury/orders/${encodeURIComponent(orderId)}`;
  const post = (orderId: string, verb: string, body: object): Promise<OrderDetail> =>
    call(orderDetailSchema, { method: 'POST', path: `${pathOf(orderId)}/${verb}`, body });
  return {
    treasury: {
      place: (order, idempotencyKey) =>
        call(orderDetailSchema, {
          method: 'POST',
          path: '/treasury/orders',
          headers: { 'idempotency-key': idempotencyKey },
          body: order,
        }),
      tryOut: (order) =>
        call(orderTrialSchema, { method: 'POST', path: '/treasury/dry-runs', body: order }, TRIAL_TIMEOUT_MS),
      costs: (query) => call(costReportSchema, { path: '/costs', query }),
      list: (page = {}) => call(orderPageSchema, { path: '/treasury/orders', query: page }),
      get: (orderId) => call(actionableOrderSchema, { path: pathOf(orderId) }),
      approve: (orderId, decision) => post(orderId, 'approve', decision),
      decline: (orderId, decision) => post(orderId, 'decline', decision),
      withdraw: (orderId, decision) => post(orderId, 'withdraw', decision),
      release: (orderId, decision) => post(orderId, 'release', decision),
      proposeResolution: (orderId, proposal) => post(orderId, 'resolution', proposal),
      confirmResolution: (orderId, seen) => post(orderId, 'resolution/confirm', seen),
      denyResolution: (orderId, denial) => post(orderId, 'resolution/deny', denial),
    },
  };
}
