import { activityInfo } from '@temporalio/activity';
import { dayOf } from '../../domain/payments/pay-day.ts';
import type { BeneficiaryDetails } from '../../domain/payments/payment-instruction.ts';
import { type PaymentState, hasEnded } from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  type BeneficiaryClaim,
  claimBeneficiary,
  disownBeneficiary,
  dropBeneficiaryClaim,
} from '../../store/beneficiaries/beneficiaries.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import { beneficiaryHashOf } from '../../store/runs/row-identity.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';
import {
  callProvider,
  hadNoEffect,
  refusalWords,
  retryLater,
  tryAgainIn,
  unlessStopped,
  wasStopped,
} from '../payments/call-provider.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { asForbiddenRow } from '../approvals/forbidden-row.ts';
import { saveBeneficiaryIfCurrent, transitionIfCurrent } from '../payments/record-if-current.ts';
import { isSealedBeneficiary, sealBeneficiary } from './sealed-beneficiary.ts';

/** While another payment to the same beneficiary creates it. */
const ASK_AGAIN_MS = 1_000;

/** Of the list of beneficiaries, which may have grown too large to be read. */
const TRIES_TO_READ = 5;

export interface BeneficiaryOutcome {
  /** The state that the payment was put in; null: its beneficiary is known to the provider. */
  ended: PaymentState | null;
  /** A stop holds, and nothing was sent. */
  isStopped?: boolean;
}

/**
 * Makes the approved beneficiary of a payment known to the provider: one request, or none when it is known by now. One
 * payment at a time creates a beneficiary, the others wait for it.
 */
export function createBeneficiaryActivity({ database, provider, seal, now }: ActivityDependencies) {
  return async function createBeneficiary({ paymentId }: { paymentId: string }): Promise<BeneficiaryOutcome> {
    const { payment, approved, isStopped } = await readApproval(database, paymentId, dayOf(now()));
    if (hasEnded(payment.state)) return { ended: payment.state };
    const instruction = approvedInstruction(payment, approved);
    if (instruction === null) return { ended: await refuseUnapproved(database, payment, 'beneficiary') };
    if (instruction.beneficiary.kind !== 'details') return { ended: null };
    // What is quoted goes on to its creation, which is stopped as well: that may be open, and is looked up then.
    if (isStopped) return payment.state === 'quoted' ? { ended: null } : { ended: null, isStopped };
    const { account } = payment;
    const { details } = instruction.beneficiary;
    const fingerprint = beneficiaryHashOf(instruction);
    const claim = await claimBeneficiary(database, { account, fingerprint, paymentId });
    if (claim.kind === 'known') {
      if (isSealedBeneficiary(seal(account), instruction, claim)) return { ended: null };
      // It is not known to be the one that was approved: a new one is.
      await disownBeneficiary(database, { account, fingerprint, paymentId, beneficiaryId: claim.beneficiaryId });
      throw tryAgainIn(0, 'beneficiary_not_sealed', 'the beneficiary on record is not known to be the approved one');
    }
    if (claim.kind === 'claimed') {
      throw tryAgainIn(ASK_AGAIN_MS, 'beneficiary_being_created', 'another payment is creating this beneficiary');
    }
    const turn = { account, fingerprint, paymentId, claimedAt: claim.claimedAt };
    const save = (beneficiaryId: string): Promise<void> =>
      saveBeneficiaryIfCurrent(database, turn, {
        beneficiaryId,
        seal: sealBeneficiary(seal(account), instruction, beneficiaryId),
      });
    if (claim.kind === 'unknown_outcome') {
      // An earlier try may have created it: the provider has no unique key for beneficiaries, so its list decides.
      const match = await findBeneficiary(account, details);
      if (match !== null) {
        await save(match);
        return { ended: null };
      }
    }
    const answered = await callProvider(
      (options) => provider(account).beneficiaries.create(details, options),
      unlessStopped(database, payment),
    );
    const sent = await asForbiddenRow(database, payment, answered);
    if (!(sent instanceof ProviderFailure)) {
      await save(sent.value.beneficiaryId);
      return { ended: null };
    }
    return recordFailure(sent, turn);
  };

  /** Null also where the list cannot be read: a beneficiary that is there twice costs nothing, one that never is stops its rows. */
  async function findBeneficiary(account: string, details: BeneficiaryDetails): Promise<string | null> {
    const read = await callProvider((options) => provider(account).beneficiaries.find({}, options));
    if (!(read instanceof ProviderFailure)) {
      return read.value.find((candidate) => contains(candidate, details))?.beneficiaryId ?? null;
    }
    if (hadNoEffect(read) || activityInfo().attempt < TRIES_TO_READ) throw retryLater(read);
    return null;
  }

  async function recordFailure(failure: ProviderFailure, turn: BeneficiaryClaim): Promise<BeneficiaryOutcome> {
    if (hadNoEffect(failure) || failure.kind === 'refused') await dropBeneficiaryClaim(database, turn);
    if (wasStopped(failure)) return { ended: null, isStopped: true };
    if (failure.kind !== 'refused') throw retryLater(failure);
    const { paymentId } = turn;
    await transitionIfCurrent(database, {
      paymentId,
      to: 'rejected',
      kind: 'beneficiary_refused',
      facts: refusalWords(failure),
    });
    return { ended: 'rejected' };
  }
}

/** Whether an entry of the provider's list has every field that we gave, as we gave it. */
function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) => contains((whole as Record<string, unknown>)[key], value));
}
