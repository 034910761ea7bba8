import { randomUUID } from 'node:crypto';
import type { ConversionDryRun, NewOrder } from '../../api/treasury/order.ts';
import { conversionDryRunWorkflowId, MAIN_TASK_QUEUE } from '../../domain/identifiers.ts';
import { approvedTotal } from '../../domain/treasury/conversion-order.ts';
import { basisPointsText, costInBasisPoints, priceOf, referencePrice } from '../../domain/treasury/conversion-price.ts';
import { ratioOf, ratioText } from '../../domain/rates/ratio.ts';
import { readConversionLimits } from '../../store/treasury/order-guards.ts';
import { addDryRun, readDryRun } from '../../store/treasury/dry-runs.ts';
import { ApplicationError } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { termsOf } from './place-order.ts';
import { shownFinding } from './order-views.ts';

const PRICE_DECIMALS = 8;

/** What an order would be quoted at now, and what each guard would say. Only workers call the provider, so one asks for it. */
export async function dryRunOrder(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  order: NewOrder,
): Promise<ConversionDryRun> {
  const { database } = dependencies;
  const account = await accountOf(dependencies, user, order.account);
  const dryRunId = randomUUID();
  const terms = await termsOf(dependencies, { orderId: dryRunId, account }, order);
  await addDryRun(database, { dryRunId, terms, askedBy: user.userId });
  await askWorker(dependencies, { dryRunId, account });
  const { reference, result } = await readDryRun(database, dryRunId);
  if (result === null) throw new ApplicationError('unavailable', 'there is no quote: try again in a minute');
  const { quote, problem, findings, decision, code } = result;
  const { sellCurrency, buyCurrency, fixedSide, amount } = terms;
  const { direction } = await readConversionLimits(database, terms);
  const middle = reference?.middle ?? null;
  const compared =
    quote === null || middle === null
      ? null
      : referencePrice(
          quote,
          ratioOf(middle.numerator, middle.denominator),
          reference?.isPrice === true ? 'direct' : direction,
        ).price;
  return {
    ...{ account, sellCurrency, buyCurrency, fixedSide, amount },
    approvedUpTo: approvedTotal(terms) ?? '0',
    quote: quote === null ? null : { ...amountsOf(quote), quotedAt: null },
    problem,
    reference: reference?.source ?? null,
    referencePrice: compared === null ? null : ratioText(compared, PRICE_DECIMALS),
    price: quote === null ? null : ratioText(priceOf(quote), PRICE_DECIMALS),
    costBps: quote === null || compared === null ? null : basisPointsText(costInBasisPoints(priceOf(quote), compared)),
    findings: findings.map(shownFinding),
    decision,
    code,
  };
}

function amountsOf({
  sellAmount,
  buyAmount,
  totalAmount,
  totalFees,
  rate,
}: Omit<NonNullable<ConversionDryRun['quote']>, 'quotedAt'>) {
  return { sellAmount, buyAmount, totalAmount, totalFees, rate };
}

async function askWorker(
  { temporal, settings }: ApplicationDependencies,
  input: { dryRunId: string; account: string },
): Promise<void> {
  try {
    await temporal.workflow.execute('conversionDryRun', {
      workflowId: conversionDryRunWorkflowId(input.dryRunId),
      taskQueue: MAIN_TASK_QUEUE,
      args: [input],
      workflowExecutionTimeout: settings.referenceTimeoutMs,
      staticSummary: `What ${input.account} would convert at`,
    });
  } catch (error) {
    throw new ApplicationError(
      'unavailable',
      'there is no quote in time; check that a worker runs and that the provider can be reached',
      { cause: error },
    );
  }
}
