import { type KnownBeneficiary, knownBeneficiaryOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  listUnreadBeneficiaries,
  saveProviderBeneficiaries,
} from '../../store/beneficiaries/provider-beneficiaries.ts';
import { callRepeatable, retryLater } from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { sealShown } from './sealed-beneficiary.ts';
import { askForBeneficiary } from './shown-beneficiary.ts';

/** So few are asked for singly from the start: the list is of all beneficiaries that the account ever had. */
const FEW = 3;

interface Shown {
  beneficiaryId: string;
  /** Null: the provider has none of this id. */
  known: KnownBeneficiary | null;
}

/**
 * How many beneficiaries that rows to be paid name by the provider's id are still to be shown. No id leaves it: the number
 * alone is in the history.
 */
export function countUnreadBeneficiariesActivity({ database }: ActivityDependencies) {
  return async function countUnreadBeneficiaries({ runId }: { runId: string }): Promise<{ unread: number }> {
    return { unread: (await listUnreadBeneficiaries(database, runId)).length };
  };
}

/**
 * Has the provider show such beneficiaries, by one request: first the list of all, which shows any number of them, and
 * then singly what it did not show, since whether it is complete is not documented. Contract: payments 4.1.
 */
export function readBeneficiariesActivity({ database, provider, seal }: ActivityDependencies) {
  return async function readBeneficiaries(input: {
    runId: string;
    account: string;
    isFirst: boolean;
  }): Promise<{ unread: number }> {
    const { runId, account, isFirst } = input;
    const unread = await listUnreadBeneficiaries(database, runId);
    const [first] = unread;
    if (first === undefined) return { unread: 0 };
    const shown = isFirst && unread.length > FEW ? await listed(account, unread) : [await single(account, first)];
    const sealed = shown.map(({ beneficiaryId, known }) => ({
      beneficiaryId,
      known,
      seal: known === null ? null : sealShown(seal(account), { beneficiaryId, known }),
    }));
    await saveProviderBeneficiaries(database, account, sealed);
    return { unread: unread.length - shown.length };
  };

  async function listed(account: string, wanted: readonly string[]): Promise<Shown[]> {
    const { value: all } = await callRepeatable((options) => provider(account).beneficiaries.find({}, options));
    const byId = new Map(all.map((beneficiary) => [beneficiary.beneficiaryId, beneficiary]));
    return wanted.flatMap((beneficiaryId) => {
      const beneficiary = byId.get(beneficiaryId);
      return beneficiary === undefined ? [] : [{ beneficiaryId, known: knownBeneficiaryOf(beneficiary) }];
    });
  }

  async function single(account: string, beneficiaryId: string): Promise<Shown> {
    const known = await askForBeneficiary(provider(account), beneficiaryId);
    if (known instanceof ProviderFailure) throw retryLater(known);
    return { beneficiaryId, known };
  }
}
