import {
  allHandlersFinished,
  condition,
  continueAsNew,
  setCurrentDetails,
  setHandler,
  setWorkflowOptions,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { pauseAfter } from '../domain/doubling-pauses.ts';
import { STATE } from '../domain/runs/search-attributes.ts';
import type { ConversionState } from '../domain/treasury/conversion-state.ts';
import { conversionActivities, mainActivities } from './activity-options.ts';
import { rethrowCancellation } from './cancellation.ts';
import { conversionChanged, type ConversionInput } from './messages.ts';

/**
 * One order to convert, from the decision of people to the credit of the bought money. The database says what comes next, whoever
 * sends a signal: a signal only has the workflow look again.
 */
export async function conversion(input: ConversionInput): Promise<{ state: ConversionState }> {
  const { orderId } = input;
  let hasChanged = false;
  let shown: ConversionState = 'proposed';
  /** Steps in a row that changed nothing. */
  let idle = 0;
  setHandler(conversionChanged, () => {
    hasChanged = true;
  });

  for (;;) {
    hasChanged = false;
    const plan = await mainActivities.readOrderStage({ orderId });
    if (plan.state !== shown) {
      upsertSearchAttributes([{ key: STATE, value: plan.state }]);
      setCurrentDetails(`${plan.state.replaceAll('_', ' ')}.`);
    }
    shown = plan.state;
    if (plan.hasEnded) return { state: plan.state };
    const { state, isToBeFunded = false } = await perform(input, plan);
    idle = state === null || state === plan.state ? idle + 1 : 0;
    // The proof that it is not funded counts for some minutes only.
    if (idle > 0 && !isToBeFunded) {
      const pauseMs = pauseAfter(idle, plan.pauses);
      await condition(() => hasChanged, plan.step === 'wait' ? plan.waitMs : Math.min(pauseMs, plan.waitMs));
    }
    if (workflowInfo().continueAsNewSuggested) {
      await condition(allHandlersFinished);
      await continueAsNew<typeof conversion>(input);
    }
  }
}

// It may wait for days, so it moves to the current version.
setWorkflowOptions({ versioningBehavior: 'AUTO_UPGRADE' }, conversion);

type Plan = Awaited<ReturnType<typeof mainActivities.readOrderStage>>;

interface Stepped {
  /** After the step; null when it failed. */
  state: ConversionState | null;
  isToBeFunded?: boolean;
}

async function perform(input: ConversionInput, plan: Plan): Promise<Stepped> {
  try {
    return await step(input, plan);
  } catch (error) {
    rethrowCancellation(error);
    return { state: null };
  }
}

function step(input: ConversionInput, plan: Plan): Promise<Stepped> {
  const { orderId, account } = input;
  const [sending, reading] = [conversionActivities(account, 'send'), conversionActivities(account, 'read')];
  switch (plan.step) {
    case 'open':
      return mainActivities.openOrder({ orderId });
    case 'expire':
      return mainActivities.expireOrder({ orderId });
    case 'quote':
      return quote(input);
    case 'create':
      return sending.createConversion({ orderId });
    case 'resolve_creation':
      return sending.resolveConversionCreation({ orderId });
    case 'fund':
      return sending.fundConversion({ orderId });
    case 'find_out_funding':
      return findOutFunding(input);
    case 'read':
      return reading.readConversion({ orderId });
    case 'check_credit':
      return awaitCredit(input);
    case 'resolve':
      return resolve(input, plan.manualOutcomeId ?? '');
    case 'wait':
      return Promise.resolve({ state: plan.state });
  }
}

/** Reads what the guards compare the quote with first, so that the quote is used at once. */
async function quote({ orderId, account }: ConversionInput): Promise<Stepped> {
  const reading = conversionActivities(account, 'read');
  // Without these the guards have what was read before, or refuse.
  await reading.readHistory({ account, of: 'news' }).catch(rethrowCancellation);
  await reading.readBalances({ account }).catch(rethrowCancellation);
  await reading.readRate({ orderId }).catch(rethrowCancellation);
  return conversionActivities(account, 'send').quoteConversion({ orderId });
}

async function findOutFunding(input: ConversionInput): Promise<Stepped> {
  await readEvidence(input);
  return mainActivities.judgeFunding({ orderId: input.orderId });
}

/** The history from before the first request, then the balance, then the conversion: in this order they prove something. */
async function readEvidence({ orderId, account }: ConversionInput): Promise<void> {
  const reading = conversionActivities(account, 'read');
  const { sinceMs } = await mainActivities.planEvidence({ orderId });
  if (sinceMs === null) return;
  // What cannot be read proves nothing, and the order is `unknown` after a day of it.
  await reading.readHistory({ account, of: 'news', sinceMs }).catch(rethrowCancellation);
  await reading.readBalances({ account }).catch(rethrowCancellation);
  await reading.readConversion({ orderId }).catch(rethrowCancellation);
}

/** Whatever people say, a conversion whose debit is in the history is not funded again. */
async function resolve(input: ConversionInput, manualOutcomeId: string): Promise<Stepped> {
  await readEvidence(input);
  return conversionActivities(input.account, 'read').resolveConversion({ manualOutcomeId });
}

async function awaitCredit({ orderId, account }: ConversionInput): Promise<Stepped> {
  const { state } = await mainActivities.checkCredit({ orderId });
  if (state === 'settled') return { state };
  await conversionActivities(account, 'read').readHistory({ account, of: 'news' });
  return mainActivities.checkCredit({ orderId });
}
