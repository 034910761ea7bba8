import type { CostReport } from '../../api/treasury/costs.ts';
import type { NewOrderRequest, OrderDetail, OrderPage, OrderTrial } from '../../api/treasury/order.ts';
import { call, type ConsoleCall } from './call.ts';

export function listOrders(query: NonNullable<ConsoleCall['query']>, signal: AbortSignal): Promise<OrderPage> {
  return call<OrderPage>({ path: '/treasury/orders', query, signal });
}

export function readOrder(orderId: string, signal: AbortSignal): Promise<OrderDetail> {
  return call<OrderDetail>({ path: `/treasury/orders/${orderId}`, signal });
}

export function tryOrder(body: NewOrderRequest): Promise<OrderTrial> {
  return call<OrderTrial>({ method: 'POST', path: '/treasury/dry-runs', body });
}

export function placeOrder(body: NewOrderRequest, idempotencyKey: string): Promise<OrderDetail> {
  return call<OrderDetail>({
    method: 'POST',
    path: '/treasury/orders',
    body,
    headers: { 'idempotency-key': idempotencyKey },
  });
}

/** `verb`: approve, decline, withdraw, release, resolution, resolution/confirm or resolution/deny. */
export function actOnOrder(orderId: string, verb: string, body: unknown): Promise<OrderDetail> {
  return call<OrderDetail>({ method: 'POST', path: `/treasury/orders/${orderId}/${verb}`, body });
}

export function readCosts(query: NonNullable<ConsoleCall['query']>, signal: AbortSignal): Promise<CostReport> {
  return call<CostReport>({ path: '/costs', query, signal });
}
