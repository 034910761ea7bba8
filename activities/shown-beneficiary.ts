import { type KnownBeneficiary, knownBeneficiaryOf } from '../domain/known-beneficiary.ts';
import type { ProviderClient } from '../provider/client.ts';
import { ProviderFailure } from '../provider/failure.ts';
import { type ShownBeneficiary, sealProviderBeneficiary } from '../store/provider-beneficiaries.ts';
import { callProvider } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
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
 * one of other credentials is looked at again, by one request, and renewed. A failure when the provider cannot tell.
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
  // By the seal of what is there now, the details on record are compared, and the hashes by which they are looked up.
  const renewed = { ...shown, seal: sealShown(records, { beneficiaryId, known }) };
  if (!isSealedShown(records, renewed)) return false;
  await sealProviderBeneficiary(database, account, renewed);
  return true;
}
