import type { NewOrder, OrderDetail } from '../../api/treasury/order.ts';
import { formatAmount } from '../../domain/money.ts';
import { keyedOrderId } from '../../domain/treasury/conversion-identity.ts';
import { approvedTotal, type ConversionOrder, conversionOrderHash } from '../../domain/treasury/conversion-order.ts';
import { listedDecimals, type ListedCurrencies } from '../../domain/treasury/currency-decimals.ts';
import { placeOrderAs } from '../../store/treasury/order-decisions.ts';
import { findOrderView } from '../../store/treasury/order-views.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { knownReferenceData } from '../payment-file/known-reference-data.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { notifyConversion } from './notify-conversion.ts';
import { findOrder } from './order-views.ts';

const DEFAULT_LIFETIME_MS = 86_400_000;

/** Places an order, and starts its workflow. The same order under the same key is the same one. */
export async function placeOrder(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  order: NewOrder,
  idempotencyKey: string,
): Promise<OrderDetail> {
  const account = await accountOf(dependencies, user, order.account);
  const orderId = keyedOrderId(account, user.userId, idempotencyKey);
  const terms = await termsOf(dependencies, { orderId, account }, order);
  const approvedUpTo = approvedTotal(terms);
  if (approvedUpTo === null) {
    throw new ApplicationError('invalid_input', 'cap: an order that fixes what is bought needs a cap or a limit price');
  }
  const orderHash = conversionOrderHash(terms);
  await asApplicationError(placeOrderAs(dependencies.database, user.tokenHash, { terms, orderHash, approvedUpTo }));
  await notifyConversion(dependencies, { orderId, account });
  return orNotFound(await findOrder(dependencies, orderId), 'there is no such order');
}

/** Amounts have the decimals of the provider's list. */
export async function termsOf(
  dependencies: ApplicationDependencies,
  { orderId, account }: { orderId: string; account: string },
  order: NewOrder,
): Promise<ConversionOrder> {
  const { sellCurrency, buyCurrency, fixedSide, limitPrice, maxCostBps } = order;
  const { currencies } = await knownReferenceData(dependencies, account, []);
  const fixed = fixedSide === 'sell' ? sellCurrency : buyCurrency;
  return {
    orderId,
    account,
    sellCurrency,
    buyCurrency,
    fixedSide,
    amount: inCurrency('amount', order.amount, fixed, currencies),
    limitPrice,
    maxCostBps,
    cap: order.cap === null ? null : inCurrency('cap', order.cap, sellCurrency, currencies),
    expiresAt: await expiryOf(dependencies, orderId, order),
  };
}

/** A repeated order without a time has that of the first one. */
async function expiryOf(
  { database, now }: ApplicationDependencies,
  orderId: string,
  { expiresAt }: NewOrder,
): Promise<string> {
  if (expiresAt !== null) return new Date(expiresAt).toISOString();
  const known = await findOrderView(database, orderId);
  return known?.terms.expiresAt ?? new Date(now() + DEFAULT_LIFETIME_MS).toISOString();
}

function inCurrency(field: string, amount: string, currency: string, listed: ListedCurrencies): string {
  const decimals = listedDecimals(currency, listed);
  if (decimals === null) throw new ApplicationError('invalid_input', `the provider does not support ${currency}`);
  try {
    return formatAmount(amount, decimals);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ApplicationError('invalid_input', `${field}: ${currency} has ${decimals} decimals`);
  }
}
