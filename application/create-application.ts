import { readAccountOfCase } from '../store/onboarding/case-views.ts';
import { readAccountOfRun } from '../store/runs/runs.ts';
import { readAccountOfOrder } from '../store/treasury/order-views.ts';
import { findFile, listFiles } from '../store/runs/supporting-files.ts';
import { listBalances, listHistory } from './accounts/balance-views.ts';
import { readLedger } from './accounts/ledger-views.ts';
import * as virtualAccounts from './accounts/virtual-accounts.ts';
import * as receipts from './accounts/receipt-views.ts';
import { listRefunds } from './accounts/refund-views.ts';
import { createAuditVerifier, listAudit, listCaseAudit, listGlobalAudit } from './audit/audit-views.ts';
import { decideRun, withdrawRun } from './approvals/decide-run.ts';
import type { Application } from './application-api.ts';
import type { ApplicationDependencies, ReviewingDependencies } from './application-dependencies.ts';
import { createApprovalSteps } from './approvals/approval-steps.ts';
import { actionsOf, type ActionDependencies, allowedActions } from './approvals/allowed-actions.ts';
import { decisionFacts } from './approvals/decision-facts.ts';
import type { InboxApplication } from './inbox/inbox-api.ts';
import { readInbox } from './inbox/read-inbox.ts';
import { readTopic } from './inbox/read-topic.ts';
import { search } from './inbox/search.ts';
import { draftCalls } from './payment-file/draft-calls.ts';
import { readRecordPosition } from '../store/inbox/waiting-items.ts';
import { findRow, findRowByLine } from './runs/find-row.ts';
import * as users from './users/manage-users.ts';
import * as company from './users/company-sign-in.ts';
import * as sessions from './users/console-sessions.ts';
import * as passkeys from './users/passkeys.ts';
import type { SessionsApplication } from './users/sessions-api.ts';
import * as totp from './users/totp.ts';
import { findCase, findCaseDocument, listCases } from './onboarding/case-views.ts';
import { exportCase } from './onboarding/export-case.ts';
import * as cases from './onboarding/decide-cases.ts';
import * as notifications from './notifications/manage-endpoints.ts';
import type { NotificationsApplication } from './notifications/notifications-api.ts';
import type { OnboardingApplication } from './onboarding/onboarding-api.ts';
import * as signUps from './onboarding/resume-sign-ups.ts';
import { submitApplicants, supplyCase } from './onboarding/submit-applicants.ts';
import { changeProvider, listProviderAccounts, readPolicy, setPolicy } from './approvals/policy.ts';
import { createWebhookReceiver } from './webhooks/receive-webhook.ts';
import { confirmResolution, denyResolution, proposeResolution } from './payments/resolve-row.ts';
import { exceptions, results } from './runs/result-files.ts';
import { releaseRow } from './runs/release-row.ts';
import { createReviews } from './runs/run-review.ts';
import { countRows, listRows } from './runs/list-rows.ts';
import { checkPolicy, explainPolicy } from './approvals/explain-policy.ts';
import { readGates } from './gate/read-gates.ts';
import { readWorkers } from './gate/read-workers.ts';
import type { OperationsApplication } from './operations-api.ts';
import { findWebhook, listWebhooks } from './webhooks/webhook-views.ts';
import { findRun, findRunFor, listRuns } from './runs/run-views.ts';
import {
  askForReconciliation,
  findReconciliation,
  listBookDays,
  signBookDay,
  signOpening,
} from './reconciliation/book-days.ts';
import * as breaks from './reconciliation/breaks.ts';
import type { ReconciliationApplication } from './reconciliation/reconciliation-api.ts';
import { reconciliationReport } from './reconciliation/report-files.ts';
import { serviceHealth } from './service-health.ts';
import { isSignedIn, noteRefusedAccess, signIn } from './users/sign-in.ts';
import { cancelRun, liftStop, listStops, stopPayments } from './approvals/stop-payments.ts';
import { submitRun } from './runs/submit-run.ts';
import * as orderDecisions from './treasury/decide-orders.ts';
import * as orders from './treasury/order-views.ts';
import { placeOrder } from './treasury/place-order.ts';
import { scheduleCalls } from './treasury/schedule-calls.ts';
import { readCosts, readRunCosts } from './treasury/read-costs.ts';
import { tryOrder } from './treasury/try-order.ts';
import type { TreasuryApplication } from './treasury/treasury-api.ts';

/** The use cases on a Temporal client and the database. Reads no environment; recent reviews are cached in memory. */
export function createApplication(dependencies: ApplicationDependencies): Application {
  const reviewing = { ...dependencies, reviews: createReviews(dependencies) };
  return {
    ...runCalls(reviewing),
    ...inboxCalls({ ...reviewing, steps: createApprovalSteps(dependencies) }),
    ...draftCalls(dependencies),
    ...operationCalls(dependencies),
    ...userCalls(dependencies),
    ...sessionCalls(dependencies),
    ...onboardingCalls(dependencies),
    listBalances: (user, query) => listBalances(dependencies, user, query),
    listHistory: (user, query) => listHistory(dependencies, user, query),
    ...treasuryCalls(dependencies),
    ...notificationCalls(dependencies),
    ...reconciliationCalls(dependencies),
    ...scheduleCalls(dependencies),
    readLedger: (user, query) => readLedger(dependencies, user, query),
    listRefunds: (user, query) => listRefunds(dependencies, user, query),
    listDeposits: (user, query) => receipts.listDeposits(dependencies, user, query),
    listFundings: (user, query) => receipts.listFundings(dependencies, user, query),
    listReceipts: (user, query) => receipts.listReceipts(dependencies, user, query),
    assignReceipt: (user, assignment) => receipts.assignReceipt(dependencies, user, assignment),
    requestVirtualAccount: (user, order) => virtualAccounts.requestVirtualAccount(dependencies, user, order),
    listVirtualAccounts: (user, query) => virtualAccounts.listVirtualAccounts(dependencies, user, query),
    findVirtualAccount: (user, id) => virtualAccounts.findVirtualAccount(dependencies, user, id),
    proposeVirtualAccount: (user, id, said) => virtualAccounts.proposeVirtualAccount(dependencies, user, id, said),
    confirmVirtualAccount: (user, id, seen) => virtualAccounts.confirmVirtualAccount(dependencies, user, id, seen),
    denyVirtualAccount: (user, id, denial) => virtualAccounts.denyVirtualAccount(dependencies, user, id, denial),
    listAudit: (runId, page) => listAudit(dependencies, runId, page),
    listGlobalAudit: (page) => listGlobalAudit(dependencies, page),
    verifyAudit: createAuditVerifier(dependencies),
    signIn: (bearerToken) => signIn(dependencies, bearerToken),
    isSignedIn: (user, account) => isSignedIn(dependencies, user, account),
    noteRefusedAccess: (refused) => noteRefusedAccess(dependencies, refused),
    receiveWebhook: createWebhookReceiver(dependencies),
    health: () => serviceHealth(dependencies),
  };
}

function runCalls(dependencies: ReviewingDependencies) {
  return {
    submit: (user, submission) => submitRun(dependencies, user, submission),
    listRuns: (user, page) => listRuns(dependencies, user, page),
    findRun: (runId) => findRun(dependencies, runId),
    accountOfRun: (runId) => readAccountOfRun(dependencies.database, runId),
    listRows: (runId, page) => listRows(dependencies, runId, page),
    countRows: (runId, page) => countRows(dependencies, runId, page),
    approveRun: (user, runId, decision) => decideRun(dependencies, user, runId, 'approved', decision),
    rejectRun: (user, runId, decision) => decideRun(dependencies, user, runId, 'rejected', decision),
    withdrawRun: (user, runId, reason) => withdrawRun(dependencies, user, runId, reason),
    stopPayments: (user, of, reason) => stopPayments(dependencies, user, of, reason),
    liftStop: (user, stopId, seen) => liftStop(dependencies, user, stopId, seen),
    cancelRun: (user, runId, reason) => cancelRun(dependencies, user, runId, reason),
    listStops: (user) => listStops(dependencies, user),
    findRow: (runId, rowRef, may = { withInstructions: false }) => findRow(dependencies, { runId, rowRef }, may),
    findReview: (runId) => dependencies.reviews.find(runId),
    listFiles: (runId) => listFiles(dependencies.database, runId),
    findFile: (runId, name) => findFile(dependencies.database, runId, name),
    releaseRow: (user, row, release) => releaseRow(dependencies, user, row, release),
    proposeResolution: (user, row, proposal) => proposeResolution(dependencies, user, row, proposal),
    confirmResolution: (user, row, seen) => confirmResolution(dependencies, user, row, seen),
    denyResolution: (user, row, denial) => denyResolution(dependencies, user, row, denial),
    results: (runId) => results(dependencies, runId),
    exceptions: (runId) => exceptions(dependencies, runId),
  } satisfies Partial<Application>;
}

function inboxCalls(dependencies: ReviewingDependencies & ActionDependencies) {
  return {
    readInbox: (user) => readInbox(dependencies, user),
    search: (user, text) => search(dependencies, user, text),
    allowedActions: (user, target) => allowedActions(dependencies, user, target),
    actionsOf: (user, texts) => actionsOf(dependencies, user, texts),
    findRunFor: (user, runId) => findRunFor(dependencies, user, runId),
    findRowByLine: (user, row, may) => findRowByLine(dependencies, user, row, may),
    findDecisionFacts: (user, runId) => decisionFacts(dependencies, user, runId),
    readTopic: (user, topic) => readTopic(dependencies, user, topic),
    readRecordPosition: () => readRecordPosition(dependencies.database),
  } satisfies InboxApplication;
}

function operationCalls(dependencies: ApplicationDependencies) {
  return {
    listWebhooks: (user, query) => listWebhooks(dependencies, user, query),
    findWebhook: (user, webhookId) => findWebhook(dependencies, user, webhookId),
    readGates: (user) => readGates(dependencies, user),
    readWorkers: () => readWorkers(dependencies),
    explainPolicy: (user, question) => explainPolicy(dependencies, user, question),
    checkPolicy: (user, request) => checkPolicy(dependencies, user, request),
  } satisfies OperationsApplication;
}

function userCalls(dependencies: ApplicationDependencies) {
  return {
    listUsers: () => users.listUsers(dependencies),
    addUser: (user, added) => users.addUser(dependencies, user, added),
    inviteUser: (user, userId) => users.inviteUser(dependencies, user, userId),
    acceptInvitation: (accepted) => users.acceptInvitation(dependencies, accepted),
    grantRoles: (user, userId, roles) => users.grantRoles(dependencies, user, userId, roles),
    removeRole: (user, userId, role) => users.removeRole(dependencies, user, userId, role),
    disableUser: (user, userId) => users.disableUser(dependencies, user, userId),
    enableUser: (user, userId) => users.enableUser(dependencies, user, userId),
    limitUser: (user, userId, accounts) => users.limitUser(dependencies, user, userId, accounts),
    listChanges: (filter) => users.listChanges(dependencies, filter),
    decideChange: (user, changeId, isConfirmed) => users.decideChange(dependencies, user, changeId, isConfirmed),
    readPolicy: () => readPolicy(dependencies),
    setPolicy: (user, policy) => setPolicy(dependencies, user, policy),
    changeProvider: (user, provider) => changeProvider(dependencies, user, provider),
    listProviderAccounts: (user) => listProviderAccounts(dependencies, user),
    listTokens: (userId) => users.listTokens(dependencies, userId),
    issueToken: (user, request) => users.issueToken(dependencies, user, request),
    revokeToken: (user, tokenId) => users.revokeToken(dependencies, user, tokenId),
    eraseRemark: (user, remarkId) => users.eraseRemark(dependencies, user, remarkId),
  } satisfies Partial<Application>;
}

function sessionCalls(dependencies: ApplicationDependencies) {
  return {
    resumeSession: (secret, isUse) => sessions.resumeSession(dependencies, secret, isUse),
    signInMethods: () => sessions.signInMethods(dependencies),
    signInWithPassword: (given, origin) => sessions.signInWithPassword(dependencies, given, origin),
    signInWithLink: (code, origin) => sessions.signInWithLink(dependencies, code, origin),
    describeSession: (user) => sessions.describeSession(dependencies, user),
    listSessions: (user, of) => sessions.listSessions(dependencies, user, of),
    endSession: (user, sessionId) => sessions.endSession(dependencies, user, sessionId),
    setPassword: (user, change) => sessions.setPassword(dependencies, user, change),
    beginTotp: (user) => totp.beginTotp(dependencies, user),
    confirmTotp: (user, code) => totp.confirmTotp(dependencies, user, code),
    removeTotp: (user) => totp.removeTotp(dependencies, user),
    stepUpWithTotp: (user, subject, code) => totp.stepUpWithTotp(dependencies, user, subject, code),
    beginPasskey: (user, site) => passkeys.beginPasskey(dependencies, user, site),
    addPasskey: (user, passkey, site) => passkeys.addPasskey(dependencies, user, passkey, site),
    removePasskey: (user, passkeyId) => passkeys.removePasskey(dependencies, user, passkeyId),
    beginPasskeyStepUp: (user, subject, site) => passkeys.beginPasskeyStepUp(dependencies, user, subject, site),
    stepUpWithPasskey: (user, subject, response, site) =>
      passkeys.stepUpWithPasskey(dependencies, user, subject, response, site),
    beginCompanySignIn: (request) => company.beginCompanySignIn(dependencies, request),
    finishCompanySignIn: (answer, origin) => company.finishCompanySignIn(dependencies, answer, origin),
    removeIdentity: (user) => company.removeIdentity(dependencies, user),
  } satisfies SessionsApplication;
}

function onboardingCalls(dependencies: ApplicationDependencies) {
  return {
    submitApplicants: (user, submission) => submitApplicants(dependencies, user, submission),
    listCases: (user, page) => listCases(dependencies, user, page),
    findCase: (_user, caseId, may) => findCase(dependencies, caseId, may),
    accountOfCase: (caseId) => readAccountOfCase(dependencies.database, caseId),
    supplyCase: (user, caseId, supply) => supplyCase(dependencies, user, caseId, supply),
    withdrawCase: (user, caseId, reason) => cases.withdrawCase(dependencies, user, caseId, reason),
    retryCase: (user, caseId) => signUps.retryCase(dependencies, user, caseId),
    listSignUpPauses: (user) => signUps.findSignUpPauses(dependencies, user),
    resumeSignUps: (user, resumption) => signUps.resumeSignUps(dependencies, user, resumption),
    proposeCaseResolution: (user, caseId, proposal) =>
      cases.proposeCaseResolution(dependencies, user, caseId, proposal),
    confirmCaseResolution: (user, caseId, seen) => cases.confirmCaseResolution(dependencies, user, caseId, seen),
    denyCaseResolution: (user, caseId, denial) => cases.denyCaseResolution(dependencies, user, caseId, denial),
    eraseCase: (user, caseId) => cases.eraseCase(dependencies, user, caseId),
    exportCase: (user, caseId) => exportCase(dependencies, user, caseId),
    findCaseDocument: (_user, caseId, file) => findCaseDocument(dependencies, caseId, file),
    listCaseAudit: (caseId, page) => listCaseAudit(dependencies, caseId, page),
  } satisfies OnboardingApplication;
}

function treasuryCalls(dependencies: ApplicationDependencies) {
  return {
    placeOrder: (user, order, idempotencyKey) => placeOrder(dependencies, user, order, idempotencyKey),
    tryOrder: (user, order) => tryOrder(dependencies, user, order),
    listOrders: (user, page) => orders.listOrders(dependencies, user, page),
    findOrder: (orderId) => orders.findOrder(dependencies, orderId),
    readCosts: (user, query) => readCosts(dependencies, user, query),
    readRunCosts: (runId) => readRunCosts(dependencies, runId),
    accountOfOrder: (orderId) => readAccountOfOrder(dependencies.database, orderId),
    decideOrder: (user, orderId, verb, decision) =>
      orderDecisions.decideOrder(dependencies, user, orderId, verb, decision),
    proposeOrderResolution: (user, orderId, proposal) =>
      orderDecisions.proposeOrderResolution(dependencies, user, orderId, proposal),
    confirmOrderResolution: (user, orderId, seen) =>
      orderDecisions.confirmOrderResolution(dependencies, user, orderId, seen),
    denyOrderResolution: (user, orderId, denial) =>
      orderDecisions.denyOrderResolution(dependencies, user, orderId, denial),
  } satisfies TreasuryApplication;
}

function reconciliationCalls(dependencies: ApplicationDependencies) {
  return {
    listBookDays: (user, query) => listBookDays(dependencies, user, query),
    askForReconciliation: (user, request) => askForReconciliation(dependencies, user, request),
    findReconciliation: (user, account) => findReconciliation(dependencies, user, account),
    signBookDay: (user, signature) => signBookDay(dependencies, user, signature),
    signOpening: (user, figure) => signOpening(dependencies, user, figure),
    listBreaks: (user, query) => breaks.listBreaks(dependencies, user, query),
    assignBreak: (user, breakId, login) => breaks.assignBreak(dependencies, user, breakId, login),
    explainBreak: (user, breakId, reason) => breaks.explainBreak(dependencies, user, breakId, reason),
    closeBreak: (user, breakId, seen) => breaks.closeBreak(dependencies, user, breakId, seen),
    reopenBreak: (user, breakId, reason) => breaks.reopenBreak(dependencies, user, breakId, reason),
    reconciliationReport: (user, file, query) => reconciliationReport(dependencies, user, file, query),
  } satisfies ReconciliationApplication;
}

function notificationCalls(dependencies: ApplicationDependencies) {
  return {
    addEndpoint: (user, endpoint) => notifications.addEndpoint(dependencies, user, endpoint),
    listEndpoints: (user) => notifications.listEndpoints(dependencies, user),
    findEndpoint: (user, endpointId) => notifications.findEndpoint(dependencies, user, endpointId),
    disableEndpoint: (user, endpointId) => notifications.disableEndpoint(dependencies, user, endpointId),
    enableEndpoint: (user, endpointId) => notifications.enableEndpoint(dependencies, user, endpointId),
    rotateEndpointSecret: (user, endpointId) => notifications.rotateEndpointSecret(dependencies, user, endpointId),
    removeEndpoint: (user, endpointId) => notifications.removeEndpoint(dependencies, user, endpointId),
    testEndpoint: (user, endpointId) => notifications.testEndpoint(dependencies, user, endpointId),
    listDeliveries: (user, filter) => notifications.listDeliveries(dependencies, user, filter),
    retryDelivery: (user, deliveryId) => notifications.retryDelivery(dependencies, user, deliveryId),
  } satisfies NotificationsApplication;
}
