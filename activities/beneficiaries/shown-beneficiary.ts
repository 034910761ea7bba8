import { type KnownBeneficiary, knownBeneficiaryOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { ProviderClient } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { type ShownBeneficiary, sealProviderBeneficiary } from '../../store/beneficiaries/provider-beneficiaries.ts';
import { type KnownIdentity, knownIdentityHashesOf } from '../../store/runs/row-identity.ts';
import { callProvider } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { isSealedShown, sealShown } from './sealed-beneficiary.ts';

/** What the provider shows of its beneficiary of this id: one request. Null: it has none. Contract: payments 4.1. */
export async function askForBeneficiary(
  client: ProviderClient,
  beneficiaryId: string,
): Promise<KnownBeneficiary | ProviderFailure | null> {
  const sent = await callProvider((options) => client.beneficiaries.item(beneficiaryId, options));
  if (sent instanceof ProviderFailure) return isNoneOfTheProviders(sent) ? null : sent;
  // An answer that shows another one says nothing of the one that was asked for.
  if (sent.value.beneficiaryId !== beneficiaryId)
    throw new Error('the provider showed another beneficiary than was asked for');
  return knownBeneficiaryOf(sent.value);
}

/** There is none of this id; or nothing was sent, since the provider issues no ids of this form. */
function isNoneOfTheProviders({ kind, httpStatus }: ProviderFailure): boolean {
  return kind === 'refused' && (httpStatus === 404 || httpStatus === null);
}

/**
 * Whether the record has a beneficiary as the provider shows it: so those who decided saw whom they pay. The seal says so;
 * where it does not, as with other credentials, the provider is asked again, by one request. By the account, the way to it
 * and the name it is the same one, however the provider writes it this time. A failure when the provider cannot tell.
 */
export async function isAsTheProviderShows(
  { database, provider, seal }: Pick<ActivityDependencies, 'database' | 'provider' | 'seal'>,
  account: string,
  shown: ShownBeneficiary,
): Promise<boolean | ProviderFailure> {
  const records = seal(account);
  if (isSealedShown(records, shown)) return true;
  const { beneficiaryId } = shown;
  const known = await askForBeneficiary(provider(account), beneficiaryId);
  if (known instanceof ProviderFailure) return known;
  if (known === null) return false;
  const there = knownIdentityHashesOf(known);
  if (!isSameIdentity(knownIdentityHashesOf(shown.known), there)) return false;
  // These are what it is looked up by.
  if (!isSameIdentity(shown, there)) return false;
  await sealProviderBeneficiary(database, account, { beneficiaryId, seal: sealShown(records, shown) });
  return true;
}

function isSameIdentity(one: KnownIdentity, other: KnownIdentity): boolean {
  return (
    one.accountHash === other.accountHash && one.routingHash === other.routingHash && one.nameHash === other.nameHash
  );
}
