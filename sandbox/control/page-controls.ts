import type { FastifyInstance } from 'fastify';
import { paymentStatuses } from '../account/simple-payment.ts';
import { operationIds } from '../endpoints/operations.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import { currencies } from '../market/currencies.ts';
import type { World } from '../world.ts';
import { addControl } from './control-route.ts';
import { overview } from './overview.ts';

/** The control calls of the web page; programs may use them as well. */
export function addPageControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'choices',
    summary: 'The choices of the page: operations, kinds of faults, currencies, payment statuses, accounts',
    perform: () => ({
      operations: [...operationIds].sort(),
      kinds: faultKinds,
      currencies: [...currencies.values()].map(({ code, decimalPlaces }) => ({ code, decimalPlaces })),
      paymentStatuses,
      accounts: world.accounts().map(({ credentials: { apiKey } }, index) => ({
        key: apiKey,
        name: `${index + 1} (key …${apiKey.slice(-4)})`,
      })),
    }),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'overview',
    summary: 'The ledger, the faults, and the latest payments, requests and notifications, newest first',
    perform: ({ account }) => overview(account, world.clock.now()),
  });
}
