import type { FastifyInstance } from 'fastify';
import { paymentStatuses } from '../account/simple-payment.ts';
import { operationIds } from '../areas/operations.ts';
import { faultKinds } from '../faults/fault-kinds.ts';
import { currencies } from '../market/currencies.ts';
import type { World } from '../core/world.ts';
import { addControl } from './control-route.ts';
import { overview } from './overview.ts';

/** The control calls that the page for people lives on; programs may use them as well. */
export function addPageCalls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'choices',
    summary: 'What can be chosen from: operations and kinds of faults, currencies, statuses of payments, accounts',
    perform: () => ({
      operations: [...operationIds].sort(),
      kinds: faultKinds,
      currencies: [...currencies.values()].map(({ code, decimalPlaces }) => ({ code, decimalPlaces })),
      paymentStatuses,
      accounts: world.accounts().map(({ credentials: { apiKey } }, place) => ({
        key: apiKey,
        name: `${place + 1} (key …${apiKey.slice(-4)})`,
      })),
    }),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'overview',
    summary: 'The ledger, the faults, and the latest of everything in short, newest first',
    perform: ({ account }) => overview(account, world.clock.now()),
  });
}
