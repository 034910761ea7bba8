import { checkDuplicatesActivity } from './check-duplicates.ts';
import { createBeneficiaryActivity } from './create-beneficiary.ts';
import { createPaymentActivity } from './create-payment.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { fetchReferenceActivity, listStaleReferencesActivity } from './fetch-reference.ts';
import { findPaymentActivity } from './find-payment.ts';
import { countOpenRowsActivity, finishRunActivity } from './finish-run.ts';
import { fundPaymentActivity } from './fund-payment.ts';
import { holdPaymentActivity } from './hold-payment.ts';
import { listPayableActivity } from './list-payable.ts';
import { planSweepActivity } from './plan-sweep.ts';
import { proposeRunActivity } from './propose-run.ts';
import { balancesAreStaleActivity, readBalancesActivity } from './read-balances.ts';
import { readPaymentActivity } from './read-payment.ts';
import { expireRunActivity, openForDecisionActivity, recordDecisionActivity } from './record-decision.ts';
import { requestQuoteActivity } from './request-quote.ts';
import { requestUploadUrlActivity } from './request-upload-url.ts';
import { startConfirmationActivity } from './start-confirmation.ts';
import { sweepPaymentsActivity } from './sweep-payments.ts';
import { tellSettledActivity } from './tell-settled.ts';
import { uploadFileActivity } from './upload-file.ts';

/** Activities that send at most one request each to the provider: they run on the account's own queue. */
export function createProviderActivities(dependencies: ActivityDependencies) {
  return {
    createBeneficiary: createBeneficiaryActivity(dependencies),
    requestUploadUrl: requestUploadUrlActivity(dependencies),
    requestQuote: requestQuoteActivity(dependencies),
    createPayment: createPaymentActivity(dependencies),
    findPayment: findPaymentActivity(dependencies),
    fundPayment: fundPaymentActivity(dependencies),
    readPayment: readPaymentActivity(dependencies),
    sweepPayments: sweepPaymentsActivity(dependencies),
    readBalances: readBalancesActivity(dependencies),
    fetchReference: fetchReferenceActivity(dependencies),
  };
}

/** Activities on payrun's own record and on Temporal; the upload is here because it is no request to the API. */
export function createEngineActivities(dependencies: ActivityDependencies) {
  return {
    checkDuplicates: checkDuplicatesActivity(dependencies),
    balancesAreStale: balancesAreStaleActivity(dependencies),
    proposeRun: proposeRunActivity(dependencies),
    openForDecision: openForDecisionActivity(dependencies),
    recordDecision: recordDecisionActivity(dependencies),
    expireRun: expireRunActivity(dependencies),
    listPayable: listPayableActivity(dependencies),
    uploadFile: uploadFileActivity(dependencies),
    holdPayment: holdPaymentActivity(dependencies),
    startConfirmation: startConfirmationActivity(dependencies),
    planSweep: planSweepActivity(dependencies),
    tellSettled: tellSettledActivity(dependencies),
    countOpenRows: countOpenRowsActivity(dependencies),
    finishRun: finishRunActivity(dependencies),
    listStaleReferences: listStaleReferencesActivity(dependencies),
  };
}

export type ProviderActivities = ReturnType<typeof createProviderActivities>;
export type EngineActivities = ReturnType<typeof createEngineActivities>;
