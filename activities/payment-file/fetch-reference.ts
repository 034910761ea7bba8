import type { OnboardingCountry } from '../../domain/onboarding/check-country.ts';
import { type Corridor, corridorKey } from '../../domain/payment-file/reference-data.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import type { Country } from '../../provider/onboarding/sign-up-fields.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readReferences, type ReferenceKind, saveReference } from '../../store/payment-file/reference-data.ts';
import { callProvider, callRepeatable } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type Reference = { kind: Exclude<ReferenceKind, 'requirements'> } | { kind: 'requirements'; corridor: Corridor };

/** The key of lists that apply to the whole account. */
const WHOLE_ACCOUNT = '*';

/** Reads one list of what the provider supports, and saves it. Contract: payments 4.1, 4.2, 4.4, account 4.1. */
export function fetchReferenceActivity({ database, provider }: ActivityDependencies) {
  return async function fetchReference(input: { account: string; reference: Reference }): Promise<void> {
    const { account, reference } = input;
    const { currencies, registration, simplePayments } = provider(account);
    const readAt = await beginReading(database);
    const save = (key: string, content: unknown): Promise<void> =>
      saveReference(database, { account, kind: reference.kind, key, content, readAt });
    switch (reference.kind) {
      case 'currencies':
        return save(WHOLE_ACCOUNT, (await callRepeatable((options) => currencies.supported(options))).value);
      case 'pairs':
        return save(WHOLE_ACCOUNT, (await callRepeatable((options) => currencies.pairs(options))).value);
      case 'local_currencies':
        return save(
          WHOLE_ACCOUNT,
          (await callRepeatable((options) => simplePayments.supportedLocalCurrencies(options))).value,
        );
      case 'countries':
        return save(
          WHOLE_ACCOUNT,
          (await callRepeatable((options) => registration.countries(options))).value.map(countryOf),
        );
      case 'requirements':
        return save(corridorKey(reference.corridor), await requirementsOf(reference.corridor));
    }

    async function requirementsOf(corridor: Corridor): Promise<unknown> {
      const reply = await callProvider((options) => provider(account).beneficiaries.requirements(corridor, options));
      if (!(reply instanceof ProviderFailure)) return reply.value;
      // The provider does not serve this corridor: saved as an empty list, so that its rows are found invalid.
      if (reply.kind === 'refused') return [];
      throw retryLater(reply);
    }
  };
}

function countryOf({ iso3166TwoLetterCode, ituTelephoneCode, commonName }: Country): OnboardingCountry {
  return { code: iso3166TwoLetterCode, diallingCode: ituTelephoneCode, name: commonName };
}

/** Which of the lists needed for these corridors are missing or too old. */
export function listStaleReferencesActivity({ database, settings }: ActivityDependencies) {
  return async function listStaleReferences(input: {
    account: string;
    corridors: Corridor[];
    /** Only the list of countries. */
    countries?: true;
  }): Promise<{ fetch: Reference[] }> {
    const fresh = await readReferences(database, input.account, settings.referenceMaxAgeMs);
    const freshKeys = new Set(fresh.map(({ kind, key }) => `${kind} ${key}`));
    const lists: Reference[] = input.countries
      ? [{ kind: 'countries' }]
      : [{ kind: 'currencies' }, { kind: 'pairs' }, { kind: 'local_currencies' }];
    return {
      fetch: [
        ...lists.filter(({ kind }) => !freshKeys.has(`${kind} ${WHOLE_ACCOUNT}`)),
        ...input.corridors
          .filter((corridor) => !freshKeys.has(`requirements ${corridorKey(corridor)}`))
          .map((corridor) => ({ kind: 'requirements', corridor }) as const),
      ],
    };
  };
}
