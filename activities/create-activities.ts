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
import { refreshPaymentActivity } from './payments/refresh-payment.ts';
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
import { quoteIndicationActivity } from './runs/quote-indication.ts';
import { readRateActivity } from './treasury/read-rate.ts';
import { checkCreditActivity } from './treasury/check-credit.ts';
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

/** Activities that send at most one request each to the provider. They run on the account's own task queue. */
export function createProviderActivities(dependencies: ActivityDependencies) {
  return {
    createBeneficiary: createBeneficiaryActivity(dependencies),
    requestUploadUrl: requestUploadUrlActivity(dependencies),
    requestQuote: requestQuoteActivity(dependencies),
    createPayment: createPaymentActivity(dependencies),
    resolvePaymentCreation: resolvePaymentCreationActivity(dependencies),
    fundPayment: fundPaymentActivity(dependencies),
    compareFunds: compareFundsActivity(dependencies),
    refreshPayment: refreshPaymentActivity(dependencies),
    getPaymentByReference: getPaymentByReferenceActivity(dependencies),
    getPaymentById: getPaymentByIdActivity(dependencies),
    pollPayments: pollPaymentsActivity(dependencies),
    readBalances: readBalancesActivity(dependencies),
    quoteIndication: quoteIndicationActivity(dependencies),
    readBeneficiaries: readBeneficiariesActivity(dependencies),
    fetchReference: fetchReferenceActivity(dependencies),
    ...createOnboardingProviderActivities(dependencies),
    ...createAccountActivities(dependencies),
    ...createConversionActivities(dependencies),
  };
}

/** Those of the account's balances, on the same queue. */
function createAccountActivities(dependencies: ActivityDependencies) {
  return {
    readHistory: readHistoryActivity(dependencies),
    readReceipts: readReceiptsActivity(dependencies),
    requestVirtualAccount: requestVirtualAccountActivity(dependencies),
    readVirtualAccount: readVirtualAccountActivity(dependencies),
    readListedPayments: readListedPaymentsActivity(dependencies),
    readListedConversions: readListedConversionsActivity(dependencies),
  };
}

/** Those of conversions, on the same queue. */
function createConversionActivities(dependencies: ActivityDependencies) {
  return {
    readRate: readRateActivity(dependencies),
    quotePair: quotePairActivity(dependencies),
    quoteConversion: quoteConversionActivity(dependencies),
    createConversion: createConversionActivity(dependencies),
    resolveConversionCreation: resolveConversionCreationActivity(dependencies),
    fundConversion: fundConversionActivity(dependencies),
    readConversion: readConversionActivity(dependencies),
    resolveConversion: resolveConversionActivity(dependencies),
    readDryRunRate: readDryRunRateActivity(dependencies),
    quoteDryRun: quoteDryRunActivity(dependencies),
  };
}

/** Those of onboarding, on the same queue. */
function createOnboardingProviderActivities(dependencies: ActivityDependencies) {
  return {
    signUpApplicant: signUpApplicantActivity(dependencies),
    adoptApplicant: adoptApplicantActivity(dependencies),
    resolveCase: resolveCaseActivity(dependencies),
    readCandidate: readCandidateActivity(dependencies),
    readApplicant: readApplicantActivity(dependencies),
    sendDetails: sendDetailsActivity(dependencies),
    checkDetails: checkDetailsActivity(dependencies),
    sendCompany: sendCompanyActivity(dependencies),
    announceDocument: announceDocumentActivity(dependencies),
    findDocument: findDocumentActivity(dependencies),
    readUploadedDocument: readDocumentActivity(dependencies),
    requestScreening: requestScreeningActivity(dependencies),
    confirmScreening: confirmScreeningActivity(dependencies),
  };
}

/** Activities that call a storage host, not the provider's API: without credentials, and outside the rate limit. */
export function createUploadActivities(dependencies: ActivityDependencies) {
  return {
    uploadFile: uploadFileActivity(dependencies),
    uploadDocument: uploadDocumentActivity(dependencies),
    verifyDocument: verifyDocumentActivity(dependencies),
  };
}

/** Activities that send notifications, to addresses that administrators give. */
export function createNotificationActivities(dependencies: ActivityDependencies) {
  return { deliverNotification: deliverNotificationActivity(dependencies) };
}

/** Activities that use payrun's own record and Temporal only. */
export function createMainActivities(dependencies: ActivityDependencies) {
  return {
    checkDuplicates: checkDuplicatesActivity(dependencies),
    balancesAreStale: balancesAreStaleActivity(dependencies),
    countUnreadBeneficiaries: countUnreadBeneficiariesActivity(dependencies),
    proposeRun: proposeRunActivity(dependencies),
    reviseProposal: reviseProposalActivity(dependencies),
    openForDecision: openForDecisionActivity(dependencies),
    readRunStage: readRunStageActivity(dependencies),
    readDecision: readDecisionActivity(dependencies),
    expireRun: expireRunActivity(dependencies),
    beginPayments: beginPaymentsActivity(dependencies),
    restartLostPayments: restartLostPaymentsActivity(dependencies),
    notifyStopChanged: notifyStopChangedActivity(dependencies),
    nextPayDay: nextPayDayActivity(dependencies),
    giveUpPayment: giveUpPaymentActivity(dependencies),
    holdPayment: holdPaymentActivity(dependencies),
    startAccountWorkflows: startAccountWorkflowsActivity(dependencies),
    planStatusPoll: planStatusPollActivity(dependencies),
    listPaymentsToRead: listPaymentsToReadActivity(dependencies),
    assumeInsufficientFunds: assumeInsufficientFundsActivity(dependencies),
    notifyRunsToBegin: notifyRunsToBeginActivity(dependencies),
    notifyFundsArrived: notifyFundsArrivedActivity(dependencies),
    notifyEnded: notifyEndedActivity(dependencies),
    countOpenRows: countOpenRowsActivity(dependencies),
    finishRun: finishRunActivity(dependencies),
    concludeManualOutcome: concludeManualOutcomeActivity(dependencies),
    listStaleReferences: listStaleReferencesActivity(dependencies),
    readCaseStage: readCaseStageActivity(dependencies),
    giveUpCase: giveUpCaseActivity(dependencies),
    planCasePoll: planCasePollActivity(dependencies),
    startCasePoller: startCasePollerActivity(dependencies),
    notifyCase: notifyCaseActivity(dependencies),
    planMoneyWatch: planMoneyWatchActivity(dependencies),
    readOrderStage: readOrderStageActivity(dependencies),
    openOrder: openOrderActivity(dependencies),
    expireOrder: expireOrderActivity(dependencies),
    planEvidence: planEvidenceActivity(dependencies),
    judgeFunding: judgeFundingActivity(dependencies),
    checkCredit: checkCreditActivity(dependencies),
    planBooks: planBooksActivity(dependencies),
    reconcileDay: reconcileDayActivity(dependencies),
    beginOccurrence: beginOccurrenceActivity(dependencies),
    planOccurrence: planOccurrenceActivity(dependencies),
    placeScheduledOrders: placeScheduledOrdersActivity(dependencies),
    concludeOccurrence: concludeOccurrenceActivity(dependencies),
    failOccurrence: failOccurrenceActivity(dependencies),
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
