import type { BeneficiaryDetails } from '../domain/payment-instruction.ts';
import { type PaymentState, hasEnded } from '../domain/payment-state.ts';
import { ProviderFailure } from '../provider/failure.ts';
import { claimBeneficiary, dropBeneficiaryClaim, useBeneficiary } from '../store/beneficiaries.ts';
import { readPayment } from '../store/payments.ts';
import { payeeFingerprintOf } from '../store/row-identity.ts';
import { callProvider, callRepeatable, hadNoEffect, refusalWords, retryLater, tryAgainIn } from './call-provider.ts';
import type { ActivityDependencies } from './dependencies.ts';
import { savePayeeInTurn, setAsideInTurn } from './record-in-turn.ts';

/** While another payment to the same payee creates it. */
const ASK_AGAIN_MS = 1_000;

/**
 * Makes the payee of a payment known to the provider: one request, or none when it is known by now. One payment at a
 * time creates a payee, the others wait for it. `ended` is the state that a refusal puts the payment in.
 */
export function createBeneficiaryActivity({ database, provider }: ActivityDependencies) {
  return async function createBeneficiary({
    paymentId,
  }: {
    paymentId: string;
  }): Promise<{ ended: PaymentState | null }> {
    const payment = await readPayment(database, paymentId);
    if (hasEnded(payment.state)) return { ended: payment.state };
    const { account, instruction } = payment;
    if (payment.beneficiaryId !== null || instruction?.beneficiary.kind !== 'details') return { ended: null };
    const { details } = instruction.beneficiary;
    const fingerprint = payeeFingerprintOf(instruction);
    const claim = await claimBeneficiary(database, { account, fingerprint, paymentId });
    if (claim.kind === 'known') {
      await useBeneficiary(database, paymentId, claim.beneficiaryId);
      return { ended: null };
    }
    if (claim.kind === 'claimed') {
      throw tryAgainIn(ASK_AGAIN_MS, 'payee_being_created', 'another payment is creating this payee');
    }
    const client = provider(account);
    const turn = { account, fingerprint, paymentId, claimedAt: claim.claimedAt };
    if (claim.kind === 'unknown_outcome') {
      // An earlier try may have created it: the provider has no unique key for payees, so its list decides.
      const { value: known } = await callRepeatable((options) => client.beneficiaries.find({}, options));
      const match = known.find((candidate) => isSamePayee(candidate, details));
      if (match !== undefined) {
        await savePayeeInTurn(database, turn, match.beneficiaryId);
        return { ended: null };
      }
    }
    const sent = await callProvider((options) => client.beneficiaries.create(details, options));
    if (!(sent instanceof ProviderFailure)) {
      await savePayeeInTurn(database, turn, sent.value.beneficiaryId);
      return { ended: null };
    }
    if (hadNoEffect(sent) || sent.kind === 'refused') await dropBeneficiaryClaim(database, turn);
    if (sent.kind !== 'refused') throw retryLater(sent);
    const aside = { paymentId, to: 'rejected', kind: 'beneficiary_refused', facts: refusalWords(sent) } as const;
    await setAsideInTurn(database, aside);
    return { ended: 'rejected' };
  };
}

/** Whether an entry of the provider's list is this payee: every field that we gave is there as we gave it. */
function isSamePayee(candidate: Record<string, unknown>, details: BeneficiaryDetails): boolean {
  return contains(candidate, details);
}

function contains(whole: unknown, part: unknown): boolean {
  if (typeof part !== 'object' || part === null) return whole === part;
  if (typeof whole !== 'object' || whole === null) return false;
  return Object.entries(part).every(([key, value]) => contains((whole as Record<string, unknown>)[key], value));
}
