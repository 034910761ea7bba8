import { stateOfVirtualAccount } from '../../domain/accounts/virtual-account-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { ProviderClient } from '../../provider/client.ts';
import { isStopped } from '../../store/approvals/stops.ts';
import {
  beginVirtualAccountRequest,
  giveUpVirtualAccountRequest,
  noteVirtualAccountAsked,
  recordVirtualAccountAnswer,
  recordVirtualAccountRead,
  type ShownVirtualAccount,
  type VirtualAccountOrder,
} from '../../store/accounts/virtual-accounts.ts';
import { callProvider } from '../calls/call-provider.ts';
import { hadNoEffect } from '../calls/failure-meaning.ts';
import { callNonIdempotent, startSendDeadline } from '../calls/send-deadline.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

const NOT_FOUND = 404;

/**
 * Asks the provider for a virtual account, once. The request has no reference of ours: its name ends in our tag, by which one
 * that was not answered is found again, and else by people. Contract: payments 2.8, 4.6.
 */
export function requestVirtualAccountActivity(dependencies: ActivityDependencies) {
  const { database, provider } = dependencies;
  return async function requestVirtualAccount({ virtualAccountId }: { virtualAccountId: string }): Promise<void> {
    const deadline = startSendDeadline(dependencies);
    const begun = await beginVirtualAccountRequest(database, virtualAccountId);
    if (begun === null) return giveUpVirtualAccountRequest(database, virtualAccountId);
    const { requestId, account, order } = begun;
    const unlessStopped = async (): Promise<void> => {
      if (await isStopped(database, account, null)) throw new Error('a stop is active');
    };
    const reply = await callNonIdempotent(deadline, unlessStopped, (options) =>
      provider(account).virtualAccounts.request(requestOf(order), options),
    );
    if (!(reply instanceof ProviderFailure)) {
      const { value, httpStatus } = reply;
      const answered = {
        requestId,
        outcome: 'took_effect',
        answer: 'as_asked',
        httpStatus,
        shown: shownOf(value),
      } as const;
      return recordVirtualAccountAnswer(database, virtualAccountId, answered);
    }
    const { kind, httpStatus } = reply;
    const outcome = kind === 'refused' ? 'refused' : hadNoEffect(reply) ? 'not_sent' : null;
    await recordVirtualAccountAnswer(database, virtualAccountId, {
      ...{ requestId, outcome, answer: kind, httpStatus, shown: null },
    });
    if (outcome === 'not_sent') throw retryLater(reply);
  };
}

/** Reads a request of the provider, which a notification named or whose turn it is. Contract: payments 4.6. */
export function readVirtualAccountActivity({ database, provider }: ActivityDependencies) {
  return async function readVirtualAccount(input: { account: string; requestId: string }): Promise<void> {
    const { account, requestId } = input;
    await noteVirtualAccountAsked(database, account, requestId);
    const reply = await callProvider((options) => provider(account).virtualAccounts.item(requestId, options));
    if (!(reply instanceof ProviderFailure)) {
      return recordVirtualAccountRead(database, account, { ...shownOf(reply.value), name: reply.value.name });
    }
    if (reply.httpStatus !== NOT_FOUND) throw retryLater(reply);
  };
}

function requestOf(order: VirtualAccountOrder) {
  const { name, tag, provider, currency, description, approveAsync, type, amount, expiryDuration } = order;
  const common = { name: `${name} ${tag}`, provider, currency, description, approveAsync };
  if (type === 'fixed') return { ...common, type, amount: amount ?? '', expiryDuration: expiryDuration ?? 0 };
  return {
    ...common,
    type,
    ...(amount === null ? {} : { amount }),
    ...(expiryDuration === null ? {} : { expiryDuration }),
  };
}

type Shown = Awaited<ReturnType<ProviderClient['virtualAccounts']['item']>>;

function shownOf({ requestId, status, virtualAccountId, virtualAccountNo }: Shown): ShownVirtualAccount {
  return { requestId, state: stateOfVirtualAccount(status), virtualAccountId, number: virtualAccountNo };
}
