import type { PaymentState } from '../../domain/payments/payment-state.ts';
import { coversPayment } from '../../store/payments/balance-snapshots.ts';
import type { Queryable } from '../../store/database/database.ts';
import { resolveOpenRequest } from '../../store/payments/payment-outcome.ts';
import { type OpenRequest, readOpenRequest } from '../../store/payments/payment-requests.ts';
import { readPayment } from '../../store/payments/payments.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { keepBalances } from '../payments/read-balances.ts';

/**
 * Whether a funding was refused for want of money. No contract says by which code that is told, so the balance is compared
 * with what the payment costs: by one request, or by none where the balances were read since the refusal. Where money is
 * short the refusal is final, and the payment is `awaiting_funds`; so it is where balances cannot be read (`assumeShort`): a
 * refusal counts as one in spite of money only where that money was seen. Contract: payments 4.4, 4.5.
 */
export function compareFundsActivity({ database, provider, now }: ActivityDependencies) {
  return async function compareFunds({ paymentId }: { paymentId: string }): Promise<{ isShort: boolean }> {
    const open = await refusedFunding(database, paymentId);
    if (open === null) return { isShort: false };
    const { account, state } = await readPayment(database, paymentId);
    let isCovered = await coversPayment(database, paymentId, open.requestId);
    if (isCovered === null) {
      await keepBalances({ database, provider }, account);
      // A currency that is not listed has no balance.
      isCovered = (await coversPayment(database, paymentId, open.requestId)) ?? false;
    }
    if (isCovered) return { isShort: false };
    return { isShort: await refusedAsShort({ database, now }, { requestId: open.requestId, state }) };
  };
}

/** The same without an answer about the balances. */
export function assumeShortActivity({ database, now }: ActivityDependencies) {
  return async function assumeShort({ paymentId }: { paymentId: string }): Promise<{ isShort: boolean }> {
    const open = await refusedFunding(database, paymentId);
    if (open === null) return { isShort: false };
    const { state } = await readPayment(database, paymentId);
    return { isShort: await refusedAsShort({ database, now }, { requestId: open.requestId, state }) };
  };
}

async function refusedFunding(database: Queryable, paymentId: string): Promise<OpenRequest | null> {
  const open = await readOpenRequest(database, paymentId, 'fund');
  return open?.answer === 'refused' ? open : null;
}

function refusedAsShort(
  { database, now }: Pick<ActivityDependencies, 'database' | 'now'>,
  { requestId, state }: { requestId: string; state: PaymentState },
): Promise<boolean> {
  const facts = state === 'awaiting_funds' ? {} : { awaiting_since: new Date(now()) };
  return resolveOpenRequest(database, { requestId, outcome: 'refused', to: 'awaiting_funds', facts });
}
