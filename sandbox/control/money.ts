import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { invalidField } from '../core/refusal.ts';
import type { World } from '../core/world.ts';
import { balanceIn, decimal } from '../config/control-amounts.ts';
import { addControl } from './control-route.ts';
import { ledgerReport } from './ledger-report.ts';
import { instructedLine } from './payment-line.ts';

const balanceBody = z.object({
  currency: z.string(),
  amount: decimal.optional().describe('What the balance becomes'),
  credit: decimal.optional().describe('What is added to the balance'),
});

/** The control calls that look at payments and balances, and set balances. */
export function addMoneyControls(app: FastifyInstance, world: World): void {
  addControl(app, world, {
    method: 'GET',
    path: 'ledger',
    summary: 'What happened to the money and how many requests it took',
    perform: ({ account }) => ledgerReport(account),
  });
  addControl(app, world, {
    method: 'GET',
    path: 'payments',
    summary: 'Every payment in short, oldest first',
    perform: ({ account }) => account.payments.all().map(instructedLine),
  });
  addControl(app, world, {
    method: 'POST',
    path: 'balance',
    summary: 'Sets a balance to an amount, or credits it as a deposit would',
    body: balanceBody,
    perform: ({ account, body }) => {
      const balance = balanceIn(account, body.currency);
      if ((body.amount === undefined) === (body.credit === undefined)) {
        throw invalidField('amount, credit', 'give one of the two');
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
