import type { Corridor } from '../../domain/payment-file/reference-data.ts';
import { corridorKey } from '../../domain/payment-file/reference-data.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { beginReading } from '../../store/payments/reading.ts';
import { readReferences, type ReferenceKind, saveReference } from '../../store/payment-file/reference-data.ts';
import { callProvider, callRepeatable, retryLater } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';

export type Reference = { kind: Exclude<ReferenceKind, 'requirements'> } | { kind: 'requirements'; corridor: Corridor };

/** Lists that have one entry for the whole account are kept under this key. */
const WHOLE = '*';

/** Asks for one list of what the provider supports and keeps it. Contract: payments 4.1, 4.2, 4.4. */
export function fetchReferenceActivity({ database, provider }: ActivityDependencies) {
  return async function fetchReference(input: { account: string; reference: Reference }): Promise<void> {
    const { account, reference } = input;
    const { currencies, simplePayments } = provider(account);
    const readAt = await beginReading(database);
    const save = (key: string, content: unknown): Promise<void> =>
      saveReference(database, { account, kind: reference.kind, key, content, readAt });
    switch (reference.kind) {
      case 'currencies':
        return save(WHOLE, (await callRepeatable((options) => currencies.supported(options))).value);
      case 'pairs':
        return save(WHOLE, (await callRepeatable((options) => currencies.pairs(options))).value);
      case 'local_currencies':
        return save(WHOLE, (await callRepeatable((options) => simplePayments.supportedLocalCurrencies(options))).value);
      case 'requirements':
        return save(corridorKey(reference.corridor), await requirementsOf(reference.corridor));
    }

    async function requirementsOf(corridor: Corridor): Promise<unknown> {
      const sent = await callProvider((options) => provider(account).beneficiaries.requirements(corridor, options));
      if (!(sent instanceof ProviderFailure)) return sent.value;
      // The provider does not serve this corridor: known as well, and the rows concerned are told so.
      if (sent.kind === 'refused') return [];
      throw retryLater(sent);
    }
  };
}

/** What of the needed lists is not known, or too old. */
export function listStaleReferencesActivity({ database, settings }: ActivityDependencies) {
  return async function listStaleReferences(input: {
    account: string;
    corridors: Corridor[];
  }): Promise<{ fetch: Reference[] }> {
    const fresh = await readReferences(database, input.account, settings.referenceMaxAgeMs);
    const known = new Set(fresh.map(({ kind, key }) => `${kind} ${key}`));
    const lists: Reference[] = [{ kind: 'currencies' }, { kind: 'pairs' }, { kind: 'local_currencies' }];
    return {
      fetch: [
        ...lists.filter(({ kind }) => !known.has(`${kind} ${WHOLE}`)),
        ...input.corridors
          .filter((corridor) => !known.has(`requirements ${corridorKey(corridor)}`))
          .map((corridor) => ({ kind: 'requirements', corridor }) as const),
      ],
    };
  };
}
