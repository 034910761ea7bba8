import { restartLostPaymentsActivity, beginPaymentsActivity } from './runs/begin-payments.ts';
import { checkDuplicatesActivity } from './runs/check-duplicates.ts';
import { assumeInsufficientFundsActivity, compareFundsActivity } from './payments/compare-funds.ts';
import { concludeManualOutcomeActivity } from './payments/conclude-manual-outcome.ts';
import { createBeneficiaryActivity } from './beneficiaries/create-beneficiary.ts';
import { createPaymentActivity } from './payments/create-payment.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { fetchReferenceActivity, listStaleReferencesActivity } from './payment-file/fetch-reference.ts';
import { resolvePaymentCreationActivity } from './payments/resolve-payment-creation.ts';
import { countOpenRowsActivity, finishRunActivity } from './runs/finish-run.ts';
import { fundPaymentActivity } from './payments/fund-payment.ts';
import { giveUpPaymentActivity } from './payments/give-up-payment.ts';
import { holdPaymentActivity } from './payments/hold-payment.ts';
import { getPaymentByIdActivity, getPaymentByReferenceActivity } from './payments/get-payment.ts';
import { nextPayDayActivity } from './runs/next-pay-day.ts';
import { planStatusPollActivity } from './payments/plan-status-poll.ts';
import { proposeRunActivity, reviseProposalActivity } from './runs/propose-run.ts';
import { balancesAreStaleActivity, readBalancesActivity } from './payments/read-balances.ts';
import { countUnreadBeneficiariesActivity, readBeneficiariesActivity } from './beneficiaries/read-beneficiaries.ts';
import { readPaymentActivity } from './payments/read-payment.ts';
import { expireRunActivity, openForDecisionActivity, readDecisionActivity } from './approvals/read-decision.ts';
import { readRunStageActivity } from './runs/read-run-stage.ts';
import { requestQuoteActivity } from './payments/request-quote.ts';
import { requestUploadUrlActivity } from './payment-file/request-upload-url.ts';
import { notifyStopChangedActivity } from './runs/notify-stop-changed.ts';
import { startAccountWorkflowsActivity } from './runs/start-account-workflows.ts';
import { listPaymentsToReadActivity, pollPaymentsActivity } from './payments/poll-payments.ts';
import { notifyEndedActivity } from './payments/notify-ended.ts';
import { uploadFileActivity } from './payment-file/upload-file.ts';
import { notifyRunsToBeginActivity, notifyFundsArrivedActivity } from './payments/notify-funds-arrived.ts';
import { announceDocumentActivity, findDocumentActivity } from './onboarding/announce-document.ts';
import { adoptApplicantActivity, readCandidateActivity, resolveCaseActivity } from './onboarding/find-signed-up.ts';
import { giveUpCaseActivity } from './onboarding/give-up-case.ts';
import { notifyCaseActivity, planCasePollActivity, startCasePollerActivity } from './onboarding/plan-case-poll.ts';
import { readApplicantActivity } from './onboarding/read-applicant.ts';
import { readCaseStageActivity } from './onboarding/read-case-stage.ts';
import { confirmScreeningActivity, requestScreeningActivity } from './onboarding/request-screening.ts';
import { sendCompanyActivity } from './onboarding/send-company.ts';
import { checkDetailsActivity, sendDetailsActivity } from './onboarding/send-details.ts';
import { signUpApplicantActivity } from './onboarding/sign-up-applicant.ts';
import { readDocumentActivity, uploadDocumentActivity, verifyDocumentActivity } from './onboarding/upload-document.ts';
import { planMoneyWatchActivity } from './accounts/plan-money-watch.ts';
import { readHistoryActivity } from './accounts/read-history.ts';
import { createConversionActivity } from './treasury/create-conversion.ts';
import { fundConversionActivity } from './treasury/fund-conversion.ts';
import { judgeFundingActivity, planEvidenceActivity } from './treasury/judge-funding.ts';
import { resolveConversionCreationActivity } from './treasury/resolve-conversion-creation.ts';
import { expireOrderActivity, openOrderActivity } from './treasury/open-order.ts';
import { quoteConversionActivity } from './treasury/quote-conversion.ts';
import { readConversionActivity } from './treasury/read-conversion.ts';
import { resolveConversionActivity } from './treasury/resolve-conversion.ts';
import { readOrderStageActivity } from './treasury/read-order-stage.ts';
import { readRateActivity } from './treasury/read-rate.ts';
import { settleConversionActivity } from './treasury/settle-conversion.ts';
import { beginOccurrenceActivity } from './treasury/begin-occurrence.ts';
import { concludeOccurrenceActivity, failOccurrenceActivity } from './treasury/conclude-occurrence.ts';
import { placeScheduledOrdersActivity } from './treasury/place-scheduled-orders.ts';
import { planOccurrenceActivity } from './treasury/plan-occurrence.ts';
import { quotePairActivity } from './treasury/quote-pair.ts';
import { quoteDryRunActivity, readDryRunRateActivity } from './treasury/quote-dry-run.ts';
import { readReceiptsActivity } from './accounts/read-receipts.ts';
import { readVirtualAccountActivity, requestVirtualAccountActivity } from './accounts/request-virtual-account.ts';
import { deliverNotificationActivity } from './notifications/deliver-notification.ts';
import { planBooksActivity } from './reconciliation/plan-books.ts';
import { readListedConversionsActivity, readListedPaymentsActivity } from './reconciliation/read-listed.ts';
import { reconcileDayActivity } from './reconciliation/reconcile-day.ts';
import { withHeartbeats } from './calls/heartbeats.ts';

/** Activities that send at most one request each to the provider. They run on the account's own task queue. */
export function createProviderActivities(dependencies: ActivityDependencies) {
  return {
    createBeneficiary: withHeartbeats(createBeneficiaryActivity(dependencies)),
    requestUploadUrl: withHeartbeats(requestUploadUrlActivity(dependencies)),
    requestQuote: withHeartbeats(requestQuoteActivity(dependencies)),
    createPayment: withHeartbeats(createPaymentActivity(dependencies)),
    resolvePaymentCreation: withHeartbeats(resolvePaymentCreationActivity(dependencies)),
    fundPayment: withHeartbeats(fundPaymentActivity(dependencies)),
    compareFunds: withHeartbeats(compareFundsActivity(dependencies)),
    readPayment: withHeartbeats(readPaymentActivity(dependencies)),
    getPaymentByReference: withHeartbeats(getPaymentByReferenceActivity(dependencies)),
    getPaymentById: withHeartbeats(getPaymentByIdActivity(dependencies)),
    pollPayments: withHeartbeats(pollPaymentsActivity(dependencies)),
    readBalances: withHeartbeats(readBalancesActivity(dependencies)),
    readBeneficiaries: withHeartbeats(readBeneficiariesActivity(dependencies)),
    fetchReference: withHeartbeats(fetchReferenceActivity(dependencies)),
    ...createOnboardingProviderActivities(dependencies),
    ...createAccountActivities(dependencies),
    ...createConversionActivities(dependencies),
  };
}

/** Those of the account's balances, on the same queue. */
function createAccountActivities(dependencies: ActivityDependencies) {
  return {
    readHistory: withHeartbeats(readHistoryActivity(dependencies)),
    readReceipts: withHeartbeats(readReceiptsActivity(dependencies)),
    requestVirtualAccount: withHeartbeats(requestVirtualAccountActivity(dependencies)),
    readVirtualAccount: withHeartbeats(readVirtualAccountActivity(dependencies)),
    readListedPayments: withHeartbeats(readListedPaymentsActivity(dependencies)),
    readListedConversions: withHeartbeats(readListedConversionsActivity(dependencies)),
  };
}

/** Those of conversions, on the same queue. */
function createConversionActivities(dependencies: ActivityDependencies) {
  return {
    readRate: withHeartbeats(readRateActivity(dependencies)),
    quotePair: withHeartbeats(quotePairActivity(dependencies)),
    quoteConversion: withHeartbeats(quoteConversionActivity(dependencies)),
    createConversion: withHeartbeats(createConversionActivity(dependencies)),
    resolveConversionCreation: withHeartbeats(resolveConversionCreationActivity(dependencies)),
    fundConversion: withHeartbeats(fundConversionActivity(dependencies)),
    readConversion: withHeartbeats(readConversionActivity(dependencies)),
    resolveConversion: withHeartbeats(resolveConversionActivity(dependencies)),
    readDryRunRate: withHeartbeats(readDryRunRateActivity(dependencies)),
    quoteDryRun: withHeartbeats(quoteDryRunActivity(dependencies)),
  };
}

/** Those of onboarding, on the same queue. */
function createOnboardingProviderActivities(dependencies: ActivityDependencies) {
  return {
    signUpApplicant: withHeartbeats(signUpApplicantActivity(dependencies)),
    adoptApplicant: withHeartbeats(adoptApplicantActivity(dependencies)),
    resolveCase: withHeartbeats(resolveCaseActivity(dependencies)),
    readCandidate: withHeartbeats(readCandidateActivity(dependencies)),
    readApplicant: withHeartbeats(readApplicantActivity(dependencies)),
    sendDetails: withHeartbeats(sendDetailsActivity(dependencies)),
    checkDetails: withHeartbeats(checkDetailsActivity(dependencies)),
    sendCompany: withHeartbeats(sendCompanyActivity(dependencies)),
    announceDocument: withHeartbeats(announceDocumentActivity(dependencies)),
    findDocument: withHeartbeats(findDocumentActivity(dependencies)),
    readUploadedDocument: withHeartbeats(readDocumentActivity(dependencies)),
    requestScreening: withHeartbeats(requestScreeningActivity(dependencies)),
    confirmScreening: withHeartbeats(confirmScreeningActivity(dependencies)),
  };
}

/** Activities that call a storage host, not the provider's API: without credentials, and outside the rate limit. */
export function createUploadActivities(dependencies: ActivityDependencies) {
  return {
    uploadFile: withHeartbeats(uploadFileActivity(dependencies)),
    uploadDocument: withHeartbeats(uploadDocumentActivity(dependencies)),
    verifyDocument: withHeartbeats(verifyDocumentActivity(dependencies)),
  };
}

/** Activities that send notifications, to addresses that administrators give. */
export function createNotificationActivities(dependencies: ActivityDependencies) {
  return { deliverNotification: withHeartbeats(deliverNotificationActivity(dependencies)) };
}

/** Activities that use payrun's own record and Temporal only. */
export function createMainActivities(dependencies: ActivityDependencies) {
  return {
    checkDuplicates: withHeartbeats(checkDuplicatesActivity(dependencies)),
    balancesAreStale: withHeartbeats(balancesAreStaleActivity(dependencies)),
    countUnreadBeneficiaries: withHeartbeats(countUnreadBeneficiariesActivity(dependencies)),
    proposeRun: withHeartbeats(proposeRunActivity(dependencies)),
    reviseProposal: withHeartbeats(reviseProposalActivity(dependencies)),
    openForDecision: withHeartbeats(openForDecisionActivity(dependencies)),
    readRunStage: withHeartbeats(readRunStageActivity(dependencies)),
    readDecision: withHeartbeats(readDecisionActivity(dependencies)),
    expireRun: withHeartbeats(expireRunActivity(dependencies)),
    beginPayments: withHeartbeats(beginPaymentsActivity(dependencies)),
    restartLostPayments: withHeartbeats(restartLostPaymentsActivity(dependencies)),
    notifyStopChanged: withHeartbeats(notifyStopChangedActivity(dependencies)),
    nextPayDay: withHeartbeats(nextPayDayActivity(dependencies)),
    giveUpPayment: withHeartbeats(giveUpPaymentActivity(dependencies)),
    holdPayment: withHeartbeats(holdPaymentActivity(dependencies)),
    startAccountWorkflows: withHeartbeats(startAccountWorkflowsActivity(dependencies)),
    planStatusPoll: withHeartbeats(planStatusPollActivity(dependencies)),
    listPaymentsToRead: withHeartbeats(listPaymentsToReadActivity(dependencies)),
    assumeInsufficientFunds: withHeartbeats(assumeInsufficientFundsActivity(dependencies)),
    notifyRunsToBegin: withHeartbeats(notifyRunsToBeginActivity(dependencies)),
    notifyFundsArrived: withHeartbeats(notifyFundsArrivedActivity(dependencies)),
    notifyEnded: withHeartbeats(notifyEndedActivity(dependencies)),
    countOpenRows: withHeartbeats(countOpenRowsActivity(dependencies)),
    finishRun: withHeartbeats(finishRunActivity(dependencies)),
    concludeManualOutcome: withHeartbeats(concludeManualOutcomeActivity(dependencies)),
    listStaleReferences: withHeartbeats(listStaleReferencesActivity(dependencies)),
    readCaseStage: withHeartbeats(readCaseStageActivity(dependencies)),
    giveUpCase: withHeartbeats(giveUpCaseActivity(dependencies)),
    planCasePoll: withHeartbeats(planCasePollActivity(dependencies)),
    startCasePoller: withHeartbeats(startCasePollerActivity(dependencies)),
    notifyCase: withHeartbeats(notifyCaseActivity(dependencies)),
    planMoneyWatch: withHeartbeats(planMoneyWatchActivity(dependencies)),
    readOrderStage: withHeartbeats(readOrderStageActivity(dependencies)),
    openOrder: withHeartbeats(openOrderActivity(dependencies)),
    expireOrder: withHeartbeats(expireOrderActivity(dependencies)),
    planEvidence: withHeartbeats(planEvidenceActivity(dependencies)),
    judgeFunding: withHeartbeats(judgeFundingActivity(dependencies)),
    settleConversion: withHeartbeats(settleConversionActivity(dependencies)),
    planBooks: withHeartbeats(planBooksActivity(dependencies)),
    reconcileDay: withHeartbeats(reconcileDayActivity(dependencies)),
    beginOccurrence: withHeartbeats(beginOccurrenceActivity(dependencies)),
    planOccurrence: withHeartbeats(planOccurrenceActivity(dependencies)),
    placeScheduledOrders: withHeartbeats(placeScheduledOrdersActivity(dependencies)),
    concludeOccurrence: withHeartbeats(concludeOccurrenceActivity(dependencies)),
    failOccurrence: withHeartbeats(failOccurrenceActivity(dependencies)),
  };
}

export type ProviderActivities = ReturnType<typeof createProviderActivities>;
export type OnboardingProviderActivities = ReturnType<typeof createOnboardingProviderActivities>;
export type AccountActivities = ReturnType<typeof createAccountActivities> & Pick<ProviderActivities, 'readBalances'>;
export type ConversionActivities = ReturnType<typeof createConversionActivities> &
  Pick<ProviderActivities, 'readBalances' | 'readHistory'>;
export type UploadActivities = ReturnType<typeof createUploadActivities>;
export type NotificationActivities = ReturnType<typeof createNotificationActivities>;
export type MainActivities = ReturnType<typeof createMainActivities>;
