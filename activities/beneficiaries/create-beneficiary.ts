import { activityInfo } from '@temporalio/activity';
import type { BeneficiaryDetails } from '../../domain/payments/payment-instruction.ts';
import { type PaymentState, hasEnded } from '../../domain/payments/payment-state.ts';
import { ProviderFailure } from '../../provider/calls/failure.ts';
import {
  type BeneficiaryClaim,
  claimBeneficiary,
  discardBeneficiary,
  dropBeneficiaryClaim,
} from '../../store/beneficiaries/beneficiaries.ts';
import { readApproval } from '../../store/payments/payment-requests.ts';
import type { PaymentRecord } from '../../store/payments/payments.ts';
import { beneficiaryHashOf } from '../../domain/runs/row-identity.ts';
import { approvedInstruction, refuseUnapproved } from '../approvals/approved-row.ts';
import { callProvider } from '../calls/call-provider.ts';
import { hadNoEffect } from '../calls/failure-meaning.ts';
import { refusalIfRowForbidden } from '../calls/forbidden-row.ts';
import { unlessStopped, wasStopped } from '../calls/stop-check.ts';
import { retryLater, tryAgainIn } from '../calls/temporal-failures.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { ofWorker, payeesOf } from '../payments/payee-data.ts';
import { saveBeneficiaryIfCurrent } from '../payments/record-if-current.ts';
import { recordRefusedBeneficiary } from '../payments/record-refusal.ts';
import { hasValidBeneficiaryMac, macBeneficiary } from './beneficiary-mac.ts';

/** The retry delay while another payment to the same beneficiary creates it. */
const RETRY_CLAIMED_MS = 1_000;

/** The list of beneficiaries may have grown too large to be read. */
const MAX_LIST_READS = 5;

export type BeneficiaryOutcome =
  /** The provider has it. */
  | { kind: 'ready' }
  /** A stop is active, or the data key is missing: nothing was sent. */
  | { kind: 'stopped' }
  | { kind: 'ended'; state: PaymentState };

/**
 * Creates the approved beneficiary of a payment with the provider: one request, or none if it exists already. One payment
 * at a time claims the creation of a beneficiary, and the others wait for it.
 */
export function createBeneficiaryActivity(dependencies: ActivityDependencies) {
  const { database, provider, macOf, now } = dependencies;
  return async function createBeneficiary({ paymentId }: { paymentId: string }): Promise<BeneficiaryOutcome> {
    const { payment, approved, isStopped } = await readApproval(database, {
      paymentId,
      ...(await ofWorker(dependencies)),
    });
    if (hasEnded(payment.state)) return { kind: 'ended', state: payment.state };
    // A quoted payment continues with its creation: that may be open and has to be looked up, and it checks for stops itself.
    if (isStopped) return { kind: payment.state === 'quoted' ? 'ready' : 'stopped' };
    const payees = await payeesOf(dependencies);
    // guard: create-beneficiary-as-approved
    const instruction = approvedInstruction(payees, payment, approved);
    if (instruction === null) return { kind: 'ended', state: await refuseUnapproved(database, payment, 'beneficiary') };
    if (instruction.beneficiary.kind !== 'details') return { kind: 'ready' };
    const { account } = payment;
    const { details } = instruction.beneficiary;
    const fingerprint = beneficiaryHashOf(payees.hash, instruction);
    const claim = await claimBeneficiary(database, { account, fingerprint, paymentId });
    if (claim.kind === 'known') {
      // guard: known-beneficiary-mac
      if (hasValidBeneficiaryMac(macOf(account), instruction, claim)) return { kind: 'ready' };
      // It may be another one than was approved, so a new one is created.
      await discardBeneficiary(database, { account, fingerprint, paymentId, beneficiaryId: claim.beneficiaryId });
      throw tryAgainIn(
        0,
        'beneficiary_without_mac',
        'the beneficiary in the database is not known to be the approved one',
      );
    }
    if (claim.kind === 'claimed') {
      throw tryAgainIn(RETRY_CLAIMED_MS, 'beneficiary_being_created', 'another payment is creating this beneficiary');
    }
    const ownClaim = { account, fingerprint, paymentId, claimedAt: claim.claimedAt };
    const save = async (beneficiaryId: string): Promise<BeneficiaryOutcome> => {
      const created = { beneficiaryId, mac: macBeneficiary(macOf(account), instruction, beneficiaryId) };
      await saveBeneficiaryIfCurrent(database, ownClaim, created);
      return { kind: 'ready' };
    };
    if (claim.kind === 'unknown_outcome') {
      // An earlier attempt may have created it. The provider has no idempotency key for beneficiaries, so its list decides.
      const match = await findBeneficiary(account, details);
      if (match !== null) return save(match);
    }
    const answer = await callProvider(
      (options) => provider(account).beneficiaries.create(details, options),
      // guard: create-beneficiary-unless-stopped
      unlessStopped(database, payment),
    );
    const reply = await refusalIfRowForbidden(database, payment, answer);
    return reply instanceof ProviderFailure ? recordFailure(reply, ownClaim, payment) : save(reply.value.beneficiaryId);
  };

  /** Null also if the list cannot be read: a duplicate beneficiary does no harm, a missing one keeps its rows from being paid. */
  async function findBeneficiary(account: string, details: BeneficiaryDetails): Promise<string | null> {
    const reply = await callProvider((options) => provider(account).beneficiaries.find({}, options));
    if (!(reply instanceof ProviderFailure)) {
      return reply.value.find((candidate) => contains(candidate, details))?.beneficiaryId ?? null;
    }
    if (hadNoEffect(reply) || activityInfo().attempt < MAX_LIST_READS) throw retryLater(reply);
    return null;
  }

  async function recordFailure(
    failure: ProviderFailure,
    claim: BeneficiaryClaim,
    payment: PaymentRecord,
  ): Promise<BeneficiaryOutcome> {
    if (hadNoEffect(failure) || failure.kind === 'refused') await dropBeneficiaryClaim(database, claim);
    if (wasStopped(failure)) return { kind: 'stopped' };
    if (failure.kind !== 'refused') throw retryLater(failure);
    return { kind: 'ended', state: await recordRefusedBeneficiary(database, { payment, failure }, now()) };
  }
}

/** Whether an entry of the provider's list has every field that we sent, with the same value. */
function contains(entry: unknown, sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return entry === sent;
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.entries(sent).every(([key, value]) => contains((entry as Record<string, unknown>)[key], value));
}
