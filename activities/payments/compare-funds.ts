import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { coversPayment } from '../../store/payments/balance-snapshots.ts';
import type { Queryable } from '../../store/database/database.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { type OpenRequest, readOpenRequest } from '../../store/payments/request-history.ts';
import { readPayment } from '../../store/payments/payments.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { refreshBalances } from './read-balances.ts';

/**
 * Whether a funding was refused for insufficient funds. No contract gives an error code for that, so the balance is
 * compared with what the payment costs: by one request, or by none if the balances were read after the refusal. If funds
 * are short, the request is resolved as refused and the payment becomes `awaiting_funds`. The same is assumed if the
 * balances cannot be read (`assumeInsufficientFunds`). Contract: payments 4.4, 4.5.
 */
export function compareFundsActivity({ database, provider, now }: ActivityDependencies) {
  return async function compareFunds({ paymentId }: { paymentId: string }): Promise<{ isShort: boolean }> {
    const open = await refusedFunding(database, paymentId);
    if (open === null) return { isShort: false };
    const { account, state } = await readPayment(database, paymentId);
    let isCovered = await coversPayment(database, paymentId, open.requestId);
    if (isCovered === null) {
      await refreshBalances({ database, provider }, account);
      // A currency that is not listed has no balance.
      isCovered = (await coversPayment(database, paymentId, open.requestId)) ?? false;
    }
    if (isCovered) return { isShort: false };
    return { isShort: await awaitFunds({ database, now }, { requestId: open.requestId, state }) };
  };
}

/** Assumes that funds are short, without reading the balances. */
export function assumeInsufficientFundsActivity({ database, now }: ActivityDependencies) {
  return async function assumeInsufficientFunds({ paymentId }: { paymentId: string }): Promise<{ isShort: boolean }> {
    const open = await refusedFunding(database, paymentId);
    if (open === null) return { isShort: false };
    const { state } = await readPayment(database, paymentId);
    return { isShort: await awaitFunds({ database, now }, { requestId: open.requestId, state }) };
  };
}

async function refusedFunding(database: Queryable, paymentId: string): Promise<OpenRequest | null> {
  const open = await readOpenRequest(database, paymentId, 'fund');
  // guard: short-only-when-refused
  return open?.answer === 'refused' ? open : null;
}

/** Resolves the request as refused; the payment waits for funds. False if another worker has resolved the request. */
function awaitFunds(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  { requestId, state }: { requestId: string; state: PaymentState },
): Promise<boolean> {
  const update = state === 'awaiting_funds' ? {} : { awaiting_since: new Date(now()) };
  return resolveOpenRequest(database, { requestId, outcome: 'refused', to: 'awaiting_funds', update });
}
