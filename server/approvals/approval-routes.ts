import {
  actionEndpoints,
  changeEndpoints,
  decisionEndpoints,
  decisionFactsEndpoints,
  policyEndpoints,
  stopEndpoints,
} from '../../api/approvals/endpoints.ts';
import { goingLiveEndpoints } from '../../api/approvals/going-live.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import type { Api } from '../api.ts';
import { serve } from '../serve.ts';

type ApprovalApplication = Pick<
  Application,
  | 'approveRun'
  | 'rejectRun'
  | 'sendRun'
  | 'withdrawRun'
  | 'findDecisionFacts'
  | 'stopPayments'
  | 'liftStop'
  | 'cancelRun'
  | 'listStops'
  | 'listChanges'
  | 'decideChange'
  | 'readPolicy'
  | 'setPolicy'
  | 'explainPolicy'
  | 'checkPolicy'
  | 'listProviderAccounts'
  | 'changeProvider'
  | 'readGoingLive'
  | 'goLive'
  | 'actionsOf'
>;

export function addApprovalRoutes(app: Api, application: ApprovalApplication): void {
  serve(app, decisionEndpoints, {
    approveRun: ({ user, params: { runId }, body }) => application.approveRun(user, runId, body),
    rejectRun: ({ user, params: { runId }, body }) => application.rejectRun(user, runId, body),
    sendRun: ({ user, params: { runId }, body: { contentHash } }) => application.sendRun(user, runId, contentHash),
    withdrawRun: ({ user, params: { runId }, body: { reason } }) => application.withdrawRun(user, runId, reason),
  });
  serve(app, decisionFactsEndpoints, {
    getDecisionFacts: async ({ user, params: { runId } }) =>
      orNotFound(await application.findDecisionFacts(user, runId), `there is no run ${runId}`),
  });
  serve(app, stopEndpoints, {
    listStops: async ({ user }) => ({ stops: await application.listStops(user) }),
    stopPayments: ({ user, body: { reason, ...of } }) => application.stopPayments(user, of, reason),
    stopRun: ({ user, params: { runId }, body: { reason } }) =>
      application.stopPayments(user, { scope: 'run', runId }, reason),
    cancelRun: ({ user, params: { runId }, body: { reason } }) => application.cancelRun(user, runId, reason),
    liftStop: ({ user, params: { stopId }, body }) => application.liftStop(user, stopId, body),
  });
  serve(app, changeEndpoints, {
    listChanges: async ({ user, query: { pending, limit } }) => ({
      changes: await application.listChanges(user, { pendingOnly: pending, limit }),
    }),
    confirmChange: ({ user, params: { changeId } }) => application.decideChange(user, changeId, true),
    rejectChange: ({ user, params: { changeId } }) => application.decideChange(user, changeId, false),
  });
  serve(app, policyEndpoints, {
    listProviderAccounts: async ({ user }) => ({ accounts: await application.listProviderAccounts(user) }),
    changeProvider: ({ user, params, body }) => application.changeProvider(user, { ...params, ...body }),
    getPolicy: () => application.readPolicy(),
    explainPolicy: ({ user, query }) => application.explainPolicy(user, query),
    checkPolicy: ({ user, body }) => application.checkPolicy(user, body),
    setPolicy: ({ user, body }) => application.setPolicy(user, body),
  });
  serve(app, goingLiveEndpoints, {
    getGoingLive: () => application.readGoingLive(),
    goLive: ({ user }) => application.goLive(user),
  });
  serve(app, actionEndpoints, { listActions: ({ user, query }) => application.actionsOf(user, query.of) });
}
