import { type KnownBeneficiary, knownBeneficiaryOf } from '../../domain/beneficiaries/known-beneficiary.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import { readRunApproval } from '../../store/approvals/run-approval.ts';
import {
  listUnreadBeneficiaries,
  saveProviderBeneficiaries,
} from '../../store/beneficiaries/provider-beneficiaries.ts';
import { callRepeatable } from '../calls/call-provider.ts';
import { retryLater } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { payeesOf } from '../payments/payee-data.ts';
import { macShownBeneficiary } from './beneficiary-mac.ts';
import { fetchBeneficiary } from './shown-beneficiary.ts';

/** Up to this many are read one by one: the list contains all beneficiaries that the account ever had. */
const MAX_SINGLE_READS = 3;

interface ReadBeneficiary {
  beneficiaryId: string;
  /** Null: the provider has no beneficiary with this id. */
  known: KnownBeneficiary | null;
}

/**
 * Counts the beneficiaries that rows name by the provider's id and that were not read yet. Only the number goes into the
 * history, no id.
 */
export function countUnreadBeneficiariesActivity({ database }: ActivityDependencies) {
  return async function countUnreadBeneficiaries({ runId }: { runId: string }): Promise<{ unread: number }> {
    return { unread: (await listUnreadBeneficiaries(database, runId)).length };
  };
}

/**
 * Reads such beneficiaries by one request: first the list of all, then one by one those that it left out, since the
 * contract does not say whether the list is complete. Contract: payments 4.1.
 */
export function readBeneficiariesActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf } = dependencies;
  return async function readBeneficiaries(input: { runId: string; isFirst: boolean }): Promise<{ unread: number }> {
    const { runId, isFirst } = input;
    const unread = await listUnreadBeneficiaries(database, runId);
    const [first] = unread;
    if (first === undefined) return { unread: 0 };
    const { account } = await readRunApproval(database, runId);
    const payees = await payeesOf(dependencies);
    const readsList = isFirst && unread.length > MAX_SINGLE_READS;
    const read = readsList ? await readListed(account, unread) : [await readOne(account, first)];
    const withMacs = read.map(({ beneficiaryId, known }) => ({
      beneficiaryId,
      known,
      mac: known === null ? null : macShownBeneficiary(macOf(account), payees.hash, { beneficiaryId, known }),
    }));
    await saveProviderBeneficiaries(database, payees, account, withMacs);
    return { unread: unread.length - read.length };
  };

  async function readListed(account: string, wanted: readonly string[]): Promise<ReadBeneficiary[]> {
    const { value: all } = await callRepeatable((options) => provider(account).beneficiaries.find({}, options));
    const byId = new Map(all.map((beneficiary) => [beneficiary.beneficiaryId, beneficiary]));
    return wanted.flatMap((beneficiaryId) => {
      const beneficiary = byId.get(beneficiaryId);
      return beneficiary === undefined ? [] : [{ beneficiaryId, known: knownBeneficiaryOf(beneficiary) }];
    });
  }

  async function readOne(account: string, beneficiaryId: string): Promise<ReadBeneficiary> {
    const known = await fetchBeneficiary(provider(account), beneficiaryId);
    if (known instanceof ProviderFailure) throw retryLater(known);
    return { beneficiaryId, known };
  }
}
