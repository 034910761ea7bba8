import { countriesOf } from '../../domain/beneficiaries/beneficiary-identity.ts';
import { canonicalJson } from '../../domain/canonical-json.ts';
import { type KnownBeneficiary, knownBeneficiaryOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import type { ProviderClient } from '../../provider/client.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  type ShownBeneficiary,
  renewProviderBeneficiaryMac,
} from '../../store/beneficiaries/provider-beneficiaries.ts';
import { type KnownIdentity, knownIdentityHashesOf } from '../../domain/runs/row-identity.ts';
import type { PayeeData } from '../../store/personal-data/payee-data.ts';
import { callProvider } from '../calls/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { hasValidShownMac, macShownBeneficiary } from './beneficiary-mac.ts';

/** Reads the provider's beneficiary with this id by one request. Null: there is none. Contract: payments 4.1. */
export async function fetchBeneficiary(
  client: ProviderClient,
  beneficiaryId: string,
): Promise<KnownBeneficiary | ProviderFailure | null> {
  const reply = await callProvider((options) => client.beneficiaries.item(beneficiaryId, options));
  if (reply instanceof ProviderFailure) return isAbsent(reply) ? null : reply;
  // Another beneficiary than requested says nothing about the requested one.
  if (reply.value.beneficiaryId !== beneficiaryId)
    throw new Error('the provider returned another beneficiary than the one requested');
  return knownBeneficiaryOf(reply.value);
}

/** There is none with this id; or nothing was sent, since the provider issues no ids of this form. */
function isAbsent({ kind, httpStatus }: ProviderFailure): boolean {
  return kind === 'refused' && (httpStatus === 404 || httpStatus === null);
}

/**
 * Whether the approvers saw the beneficiary as the provider shows it. If the MAC is not valid (as after a change of
 * credentials), the provider is asked again, by one request. Account, routing and name decide, since the provider may format
 * the details differently. Returns the failure if the provider does not answer.
 */
export async function isAsTheProviderShows(
  { database, provider, macOf }: Pick<ActivityDependencies, 'database' | 'provider' | 'macOf'>,
  { hash }: Pick<PayeeData, 'hash'>,
  account: string,
  shown: ShownBeneficiary,
): Promise<boolean | ProviderFailure> {
  // guard: shown-countries
  if (canonicalJson(shown.countries) !== canonicalJson(countriesOf(shown.known))) return false;
  const mac = macOf(account);
  if (hasValidShownMac(mac, shown)) return true;
  const { beneficiaryId } = shown;
  const current = await fetchBeneficiary(provider(account), beneficiaryId);
  if (current instanceof ProviderFailure) return current;
  if (current === null) return false;
  const identity = knownIdentityHashesOf(hash, current);
  // guard: shown-still
  if (!isSameIdentity(knownIdentityHashesOf(hash, shown.known), identity)) return false;
  // The recorded hashes, by which the beneficiary was looked up.
  // guard: shown-hashes-still
  if (!isSameIdentity(shown, identity)) return false;
  await renewProviderBeneficiaryMac(database, account, { beneficiaryId, mac: macShownBeneficiary(mac, hash, shown) });
  return true;
}

function isSameIdentity(one: KnownIdentity, other: KnownIdentity): boolean {
  return (
    one.accountHash === other.accountHash && one.routingHash === other.routingHash && one.nameHash === other.nameHash
  );
}
