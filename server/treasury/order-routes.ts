import { costEndpoints, orderEndpoints } from '../../api/treasury/order-endpoints.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import type { TreasuryApplication } from '../../application/treasury/use-cases.ts';
import type { Api } from '../api.ts';
import { existingRun } from '../runs/existing-run.ts';
import { serve } from '../serve.ts';
import { idempotencyKeyOf } from './idempotency-key.ts';

export function addOrderRoutes(
  app: Api,
  application: TreasuryApplication & Pick<Application, 'allowedActions' | 'findRun'>,
): void {
  serve(app, orderEndpoints, {
    listOrders: async ({ user, query }) => {
      const orders = await application.listOrders(user, query);
      return { orders, nextAfter: orders.length < query.limit ? null : (orders.at(-1)?.orderId ?? null) };
    },
    placeOrder: ({ user, body, request }) => application.placeOrder(user, body, idempotencyKeyOf(request)),
    dryRunOrder: ({ user, body }) => application.dryRunOrder(user, body),
    getOrder: async ({ user, params: { orderId } }) => {
      const order = orNotFound(await application.findOrder(orderId), `there is no order ${orderId}`);
      const actions = await application.allowedActions(user, { kind: 'order', id: orderId });
      return { ...order, allowedActions: actions ?? [] };
    },
    approveOrder: ({ user, params: { orderId }, body }) => application.decideOrder(user, orderId, 'approved', body),
    rejectOrder: ({ user, params: { orderId }, body }) => application.decideOrder(user, orderId, 'rejected', body),
    withdrawOrder: ({ user, params: { orderId }, body }) => application.decideOrder(user, orderId, 'withdrawn', body),
    releaseOrder: ({ user, params: { orderId }, body }) => application.decideOrder(user, orderId, 'released', body),
    proposeOrderManualOutcome: ({ user, params: { orderId }, body }) =>
      application.proposeOrderManualOutcome(user, orderId, body),
    confirmOrderManualOutcome: ({ user, params: { orderId }, body }) =>
      application.confirmOrderManualOutcome(user, orderId, body),
    rejectOrderManualOutcome: ({ user, params: { orderId }, body }) =>
      application.rejectOrderManualOutcome(user, orderId, body),
  });
  serve(app, costEndpoints, {
    readCosts: ({ user, query }) => application.readCosts(user, query),
    readRunCosts: async ({ params: { runId } }) => {
      await existingRun(application, runId);
      return { costs: await application.readRunCosts(runId) };
    },
  });
}
