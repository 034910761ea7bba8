import type { ApplicationDependencies } from '../application-dependencies.ts';
import { bindUseCases } from '../bind-use-cases.ts';
import {
  confirmOrderManualOutcome,
  decideOrder,
  rejectOrderManualOutcome,
  proposeOrderManualOutcome,
} from './decide-orders.ts';
import { findOrder, listOrders } from './order-views.ts';
import { placeOrder } from './place-order.ts';
import { readCosts, readRunCosts } from './read-costs.ts';
import { dryRunOrder } from './dry-run-order.ts';

export type TreasuryApplication = ReturnType<typeof treasuryUseCases>;

export function treasuryUseCases(dependencies: ApplicationDependencies) {
  return bindUseCases(dependencies, {
    placeOrder,
    dryRunOrder,
    listOrders,
    findOrder,
    readCosts,
    readRunCosts,
    decideOrder,
    proposeOrderManualOutcome,
    confirmOrderManualOutcome,
    rejectOrderManualOutcome,
  });
}
