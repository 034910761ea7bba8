import { coversPayment } from '../store/balances.ts';
import { settleOpenRequest } from '../store/payment-outcome.ts';
import { readOpenRequest } from '../store/payment-requests.ts';
import { readPayment } from '../store/payments.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { keepBalances } from './read-balances.ts';

/**
 * Whether a funding was refused for want of money. No contract says by which code that is told, so the balance is compared
 * with what the payment costs: by one request, or by none where the balances were read since the refusal. Where money is
 * short the refusal is final, and the payment is `awaiting_funds`. Contract: payments 4.4, 4.5.
 */
export function compareFundsActivity({ database, provider, now }: ActivityDependencies) {
  return async function compareFunds({ paymentId }: { paymentId: string }): Promise<{ isShort: boolean }> {
    const open = await readOpenRequest(database, paymentId, 'fund');
    if (open === null || open.answer !== 'refused') return { isShort: false };
    const { account, state } = await readPayment(database, paymentId);
    let isCovered = await coversPayment(database, paymentId, open.requestId);
    if (isCovered === null) {
      await keepBalances({ database, provider }, account);
      // A currency that is not listed has no balance.
      isCovered = (await coversPayment(database, paymentId, open.requestId)) ?? false;
    }
    if (isCovered) return { isShort: false };
    const { requestId } = open;
    const facts = state === 'awaiting_funds' ? {} : { awaiting_since: new Date(now()) };
    return {
      isShort: await settleOpenRequest(database, { requestId, outcome: 'refused', to: 'awaiting_funds', facts }),
    };
  };
}
