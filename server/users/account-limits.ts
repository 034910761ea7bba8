import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { virtualAccountParams } from '../../api/accounts/virtual-account.ts';
import { stopParams } from '../../api/approvals/stop.ts';
import type { LimitedBy, ParameterOfAccount } from '../../api/endpoint.ts';
import { caseId } from '../../api/onboarding/case.ts';
import { breakParams } from '../../api/reconciliation/break.ts';
import { runId } from '../../api/runs/run.ts';
import { orderId } from '../../api/treasury/order.ts';
import { scheduleId } from '../../api/treasury/schedule.ts';
import { webhookParams } from '../../api/webhooks/received-webhook.ts';
import { ApplicationError } from '../../application/application-error.ts';
import type { Application } from '../../application/create-application.ts';
import { mayUse, type SignedIn } from '../../application/users/signed-in.ts';
import type { AccessGuards } from './credentials.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    limitedBy?: LimitedBy;
  }
}

/** What an address may name that belongs to an account, by the name of its parameter. */
const OF_AN_ACCOUNT = {
  runId: { kind: 'run', id: runId },
  caseId: { kind: 'case', id: caseId },
  orderId: { kind: 'order', id: orderId },
  scheduleId: { kind: 'schedule', id: scheduleId },
  breakId: { kind: 'break', id: breakParams.shape.breakId },
  virtualAccountId: { kind: 'virtual account', id: virtualAccountParams.shape.virtualAccountId },
  stopId: { kind: 'stop', id: stopParams.shape.stopId },
  webhookId: { kind: 'webhook', id: webhookParams.shape.webhookId },
} as const satisfies Readonly<Record<ParameterOfAccount, { id: z.ZodType<string> } & Record<'kind', string>>>;

/** The parameters of paths by which the server knows the account, whichever endpoint has them. */
export const PARAMETERS_OF_ACCOUNTS = Object.keys(OF_AN_ACCOUNT) as ParameterOfAccount[];

type LimitingApplication = Pick<Application, 'accountOf'>;

/**
 * Before a body is read: a user who is limited to accounts calls nothing that is about all of them, and what an address names of
 * another account does not exist for them, by each of its parameters. Anything else than such an id names nothing.
 */
export async function refuseOtherAccounts(
  request: FastifyRequest,
  user: SignedIn,
  application: LimitingApplication,
  guards: AccessGuards,
): Promise<void> {
  if (user.accounts === null) return;
  // guard: all-accounts-for-unlimited
  if (request.routeOptions.config.limitedBy === 'all_accounts') {
    note(request, user, guards);
    throw new ApplicationError('not_allowed', 'this concerns all accounts, and you are limited to some of them');
  }
  const params = request.params as Readonly<Record<string, string>>;
  for (const parameter of PARAMETERS_OF_ACCOUNTS) {
    const given = params[parameter];
    if (given === undefined) continue;
    const { kind, id } = OF_AN_ACCOUNT[parameter];
    const named = id.safeParse(given).data;
    const found = named === undefined ? null : await application.accountOf(kind, named);
    // What is about all accounts is shown to everybody; the database refuses its changes.
    // guard: run-of-other-account-hidden
    if (found !== null && (found.account === null || mayUse(user, found.account))) continue;
    if (found !== null) note(request, user, guards);
    throw new ApplicationError('not_found', `there is no ${kind} ${named ?? given}`);
  }
}

/** Once query and body were read: an account that they name is one that the user may use. */
export function refuseOtherAccountGiven(request: FastifyRequest, user: SignedIn, guards: AccessGuards): void {
  for (const part of [request.query, request.body]) {
    const account = typeof part === 'object' && part !== null && 'account' in part ? part.account : null;
    // guard: account-given-is-own
    if (typeof account !== 'string' || mayUse(user, account)) continue;
    note(request, user, guards);
    throw new ApplicationError('not_allowed', `you may not use the account "${account}"`);
  }
}

function note(request: FastifyRequest, { userId, tokenId }: SignedIn, guards: AccessGuards): void {
  const route = `${request.method} ${request.routeOptions.url ?? ''}`;
  guards.refused.note({ kind: 'access_refused', address: request.ip, userId, tokenId, route, why: 'account' });
}
