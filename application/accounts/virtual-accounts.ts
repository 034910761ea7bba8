import { randomBytes, randomUUID } from 'node:crypto';
import type {
  NewVirtualAccount,
  NewVirtualAccountProposal,
  VirtualAccount,
  VirtualAccountOutcomeRejection,
  VirtualAccountList,
  VirtualAccountQuery,
} from '../../api/accounts/virtual-account.ts';
import {
  confirmVirtualAccountAs,
  rejectVirtualAccountAs,
  proposeVirtualAccountAs,
  requestVirtualAccountAs,
} from '../../store/accounts/virtual-account-decisions.ts';
import {
  listVirtualAccounts as listStored,
  type VirtualAccountView,
} from '../../store/accounts/virtual-account-views.ts';
import { ApplicationError, orNotFound } from '../application-error.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { asApplicationError } from '../as-application-error.ts';
import { iso } from '../iso-time.ts';
import { accountsOf, mayRead, mayUse, type SignedIn } from '../users/signed-in.ts';
import { watchMoney } from './watch-money.ts';

/** Asks for a virtual account: it is recorded before the provider is asked. */
export async function requestVirtualAccount(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, ...order }: NewVirtualAccount,
): Promise<VirtualAccount> {
  // One that nobody may use is refused by the database, which notes it.
  if (mayUse(user, account) && !dependencies.accounts.some((known) => known.name === account)) {
    throw new ApplicationError('invalid_input', `account: there is no provider account "${account}"`);
  }
  const virtualAccountId = randomUUID();
  const tag = `PR${randomBytes(4).toString('hex').toUpperCase()}`;
  const asked = { ...order, virtualAccountId, tag };
  await asApplicationError(requestVirtualAccountAs(dependencies.database, user.tokenHash, account, asked));
  await watchMoney(dependencies, account, 'pollRequested').catch(() => undefined);
  return findVirtualAccount(dependencies, user, virtualAccountId);
}

export async function listVirtualAccounts(
  { database }: ApplicationDependencies,
  user: SignedIn,
  { account, limit }: VirtualAccountQuery,
): Promise<VirtualAccountList> {
  const filter = { accounts: accountsOf(user, account), virtualAccountId: null, limit: limit + 1 };
  const found = await listStored(database, filter);
  return {
    virtualAccounts: found.slice(0, limit).map((one) => shownTo(user, one)),
    hasMore: found.length > limit,
  };
}

/** One of another account than the user may use is not found. */
export async function findVirtualAccount(
  { database }: ApplicationDependencies,
  user: SignedIn,
  virtualAccountId: string,
): Promise<VirtualAccount> {
  const [found] = await listStored(database, { accounts: user.accounts, virtualAccountId, limit: 1 });
  return shownTo(user, orNotFound(found ?? null, 'there is no such virtual account'));
}

export async function proposeVirtualAccount(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  virtualAccountId: string,
  proposal: NewVirtualAccountProposal,
): Promise<VirtualAccount> {
  await asApplicationError(proposeVirtualAccountAs(dependencies.database, user.tokenHash, virtualAccountId, proposal));
  return findVirtualAccount(dependencies, user, virtualAccountId);
}

export async function confirmVirtualAccount(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  virtualAccountId: string,
  { manualOutcomeId }: { manualOutcomeId: string },
): Promise<VirtualAccount> {
  await requireManualOutcome(dependencies, user, virtualAccountId, manualOutcomeId);
  const confirmed = confirmVirtualAccountAs(dependencies.database, user.tokenHash, manualOutcomeId);
  await asApplicationError(confirmed);
  return findVirtualAccount(dependencies, user, virtualAccountId);
}

export async function rejectVirtualAccount(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  virtualAccountId: string,
  { manualOutcomeId, reason }: VirtualAccountOutcomeRejection,
): Promise<VirtualAccount> {
  await requireManualOutcome(dependencies, user, virtualAccountId, manualOutcomeId);
  await asApplicationError(rejectVirtualAccountAs(dependencies.database, user.tokenHash, manualOutcomeId, reason));
  return findVirtualAccount(dependencies, user, virtualAccountId);
}

/** What is decided on belongs to the virtual account that the address names. @throws ApplicationError `not_found` */
async function requireManualOutcome(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  virtualAccountId: string,
  manualOutcomeId: string,
): Promise<void> {
  const { manualOutcomes } = await findVirtualAccount(dependencies, user, virtualAccountId);
  // guard: virtual-account-of-address (4 lines)
  orNotFound(
    manualOutcomes.find((one) => one.manualOutcomeId === manualOutcomeId) ?? null,
    'there is no such proposal of it',
  );
}

/** Numbers are bank details. */
function shownTo(user: SignedIn, view: VirtualAccountView): VirtualAccount {
  const showsNumbers = mayRead(user, 'read_instructions');
  return {
    ...view,
    number: showsNumbers ? view.number : null,
    requestedAt: view.requestedAt.toISOString(),
    readAt: iso(view.readAt),
    manualOutcomes: view.manualOutcomes.map((said) => ({
      ...said,
      number: showsNumbers ? said.number : null,
      proposedAt: new Date(said.proposedAt).toISOString(),
    })),
  };
}
