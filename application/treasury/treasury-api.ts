import type {
  NewOrder,
  OrderConfirmation,
  OrderDecision,
  OrderDenial,
  OrderDetail,
  OrderListQuery,
  OrderResolution,
  OrderSummary,
  OrderTrial,
} from '../../api/treasury/order.ts';
import type { CostQuery, CostReport } from '../../api/treasury/costs.ts';
import type { SignedIn } from '../users/signed-in.ts';

/** What people do with an order before it is created. */
export type OrderVerb = 'approved' | 'declined' | 'withdrawn' | 'released';

/** Conversions of currencies, as the server calls them. See `Application`. */
export interface TreasuryApplication {
  /**
   * Places an order; the same order under the same key is the same one. Throws `conflict` for another one under it, and while an
   * order of the same two currencies is open.
   */
  placeOrder(user: SignedIn, order: NewOrder, idempotencyKey: string): Promise<OrderDetail>;
  /** What the order would be quoted at now, and what each guard would say. Throws `unavailable` when nobody answers in time. */
  tryOrder(user: SignedIn, order: NewOrder): Promise<OrderTrial>;
  /** Of the accounts that the user may use, the newest first, after the given order. */
  listOrders(user: SignedIn, page: OrderListQuery): Promise<OrderSummary[]>;
  /** Null when there is no such order. */
  findOrder(orderId: string): Promise<OrderDetail | null>;
  /** The account that an order belongs to; null when there is no such order. */
  accountOfOrder(orderId: string): Promise<string | null>;
  /** Throws `not_allowed` for who placed it, or, to withdraw it, for anybody else. */
  decideOrder(user: SignedIn, orderId: string, verb: OrderVerb, decision: OrderDecision): Promise<OrderDetail>;
  /** What became of an order, or that its conversion is to be funded. Takes effect when a second person confirms it. */
  proposeOrderResolution(user: SignedIn, orderId: string, proposal: OrderResolution): Promise<OrderDetail>;
  confirmOrderResolution(user: SignedIn, orderId: string, seen: OrderConfirmation): Promise<OrderDetail>;
  denyOrderResolution(user: SignedIn, orderId: string, denial: OrderDenial): Promise<OrderDetail>;
  /** What payments and conversions that were funded in a time have cost, of the accounts that the user may use. */
  readCosts(user: SignedIn, query: CostQuery): Promise<CostReport>;
  /** What the payments of a run have cost until now; null: none was funded yet. */
  readRunCosts(runId: string): Promise<CostReport | null>;
}
