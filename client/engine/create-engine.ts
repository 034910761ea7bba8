import { authenticate, issueToken, listTokens, revokeToken } from './access-tokens.ts';
import { createAuditVerifier, listAudit } from './audit-views.ts';
import { confirmResolution, denyResolution } from './close-resolution.ts';
import { decideRun } from './decide-run.ts';
import type { Engine } from './engine-api.ts';
import type { EngineDependencies } from './engine-dependencies.ts';
import { findRow } from './find-row.ts';
import { proposeResolution } from './propose-resolution.ts';
import { createWebhookReceiver } from './receive-webhook.ts';
import { exceptions, results } from './result-files.ts';
import { findRun, listRows, listRuns } from './run-views.ts';
import { serviceHealth } from './service-health.ts';
import { submitRun } from './submit-run.ts';

/** The engine on a Temporal client and the record. It reads no environment and keeps no state of its own. */
export function createEngine(dependencies: EngineDependencies): Engine {
  return {
    submit: (actor, submission) => submitRun(dependencies, actor, submission),
    listRuns: (page) => listRuns(dependencies, page),
    findRun: (runId) => findRun(dependencies, runId),
    listRows: (runId, page) => listRows(dependencies, runId, page),
    approveRun: (actor, runId, decision) => decideRun(dependencies, actor, runId, 'approveRun', decision),
    rejectRun: (actor, runId, decision) => decideRun(dependencies, actor, runId, 'rejectRun', decision),
    findRow: (runId, rowRef) => findRow(dependencies, runId, rowRef),
    proposeResolution: (actor, row, proposal) => proposeResolution(dependencies, actor, row, proposal),
    confirmResolution: (actor, row, seen) => confirmResolution(dependencies, actor, row, seen),
    denyResolution: (actor, row, denial) => denyResolution(dependencies, actor, row, denial),
    results: (runId) => results(dependencies, runId),
    exceptions: (runId) => exceptions(dependencies, runId),
    listAudit: (runId, page) => listAudit(dependencies, runId, page),
    verifyAudit: createAuditVerifier(dependencies),
    authenticate: (bearerToken) => authenticate(dependencies, bearerToken),
    listTokens: () => listTokens(dependencies),
    issueToken: (actor, request) => issueToken(dependencies, actor, request),
    revokeToken: (actor, tokenId) => revokeToken(dependencies, actor, tokenId),
    receiveWebhook: createWebhookReceiver(dependencies),
    health: () => serviceHealth(dependencies),
  };
}
