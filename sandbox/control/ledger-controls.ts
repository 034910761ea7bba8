import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalidField } from '../core/refusal.ts';
import type { Conversion } from '../account/conversion.ts';
import type { World } from '../world.ts';
import { balanceIn, decimal } from './control-fields.ts';
import { addControl } from './control-route.ts';
import { ledgerReport } from './ledger-report.ts';
import { detailedPaymentLine } from './payment-line.ts';

const balanceBody = z.object({
  currency: z.string(),
  amount: decimal.optional().describe('The new balance'),
  credit: decimal.optional().describe('The amount to add to the balance'),
});

/** Amounts are decimal strings. */
const conversionLine = ({ id, referenceId, status, timesFunded, quote }: Conversion) => ({
  ...{ id, referenceId, status, timesFunded },
  ...{ sellCurrency: quote.sell.code, totalAmount: quote.totalAmount.toFixed(quote.sell.decimalPlaces) },
  ...{ buyCurrency: quote.buy.code, buyAmount: quote.buyAmount.toFixed(quote.buy.decimalPlaces) },
});

/** The control calls that report payments and balances, and set balances. */
export function addLedgerControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'ledger',
    summary: 'The ledger, and the number of requests',
    perform: ({ account }) => ledgerReport(account),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'payments',
    summary: 'A summary of every payment, oldest first',
    perform: ({ account }) => account.payments.all().map(detailedPaymentLine),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'conversions',
    summary: 'A summary of every conversion, oldest first',
    perform: ({ account }) => account.conversions.all().map(conversionLine),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'balance',
    summary: 'Sets a balance, or credits it as a deposit would',
    body: balanceBody,
    perform: ({ account, body }) => {
      const balance = balanceIn(account, body.currency);
      if ((body.amount === undefined) === (body.credit === undefined)) {
        throw invalidField('amount, credit', 'exactly one of the two is needed');
      }
      const change = body.credit ?? (body.amount ?? balance.amount).minus(balance.amount);
      const { decimalPlaces } = balance.currency;
      if (!change.eq(change.round(decimalPlaces))) throw invalidField('amount', `${decimalPlaces} decimal places`);
      if (body.credit?.lt(0) || body.amount?.lt(0)) throw invalidField('amount, credit', 'must not be negative');
      account.ledger.write(balance, change, body.credit ? 'deposit' : 'adjustment', null, world.clock.now());
      return { currency: body.currency, amount: balance.amount.toFixed(decimalPlaces) };
    },
  });
}
