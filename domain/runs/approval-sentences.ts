import type { PaymentState } from '../payments/payment-state.ts';

/** How far the approval of a run is that waits for it. */
export interface ApprovalFacts {
  steps: readonly {
    step: number;
    role: string | null;
    /** Null: everybody with the role. */
    logins: readonly string[] | null;
    takenBy: { name: string } | null;
    /** Some of those who could still take it. */
    eligibleApprovers: readonly { name: string }[];
    eligibleApproverCount: number;
  }[];
  /** False: no rule of the policy covers the run. */
  isCovered: boolean;
  /** The people who could take the open steps are enough. */
  canBeApproved: boolean;
}

const OR_ENDED = 'or its maker withdraws it, or a checker rejects it';

/** Why nobody can approve a run that waits for it, and who does what about it; null: somebody can, as far as is known. */
export function whyNobodyApproves(
  { rows }: { rows: Readonly<Partial<Record<PaymentState, number>>> },
  approval: ApprovalFacts | null,
): string | null {
  if ((rows.ready ?? 0) === 0) return emptyRun(rows);
  if (approval === null) return null;
  const { steps, isCovered, canBeApproved } = approval;
  if (!isCovered) return `No rule of the policy covers it: an administrator changes the policy, ${OR_ENDED}.`;
  if (canBeApproved || steps.length === 0) return null;
  const free = steps.find(({ takenBy, eligibleApproverCount }) => takenBy === null && eligibleApproverCount === 0);
  const why =
    free === undefined
      ? 'Its steps take more people than there are who may, as each person counts once'
      : `Nobody can take step ${free.step}: it is for ${whoTakes(free)}, and nobody approves their own run`;
  return `${why}. An administrator adds somebody who may, ${OR_ENDED}.`;
}

/** The policy has nothing to do with it: there is nothing to be paid. */
function emptyRun(rows: Readonly<Partial<Record<PaymentState, number>>>): string {
  const suspects = rows.duplicate_suspect ?? 0;
  const unconfirmed = rows.account_unconfirmed ?? 0;
  if (suspects === 0 && unconfirmed === 0)
    return 'No row of it can be paid: its maker withdraws it, or a checker rejects it.';
  if (suspects === 0) {
    const pay = unconfirmed === 1 ? '1 pays' : `${unconfirmed} pay`;
    return `No row of it can be paid, and ${pay} to an account that is not confirmed: a checker other than its maker confirms it, ${OR_ENDED}.`;
  }
  const are = suspects === 1 ? '1 is a suspected duplicate' : `${suspects} are suspected duplicates`;
  return `No row of it can be paid, and ${are}: a checker other than its maker releases what is to be paid, ${OR_ENDED}.`;
}

/** `Step 2 of 2 is for a checker: Chris Checker or Nora Night approves or rejects it.` Null: it is not known. */
export function nextStepInWords(approval: ApprovalFacts | null): string | null {
  const next = approval?.steps.find(({ takenBy }) => takenBy === null);
  if (approval === null || next === undefined) return null;
  const names = next.eligibleApprovers.map(({ name }) => name).join(' or ');
  const more = next.eligibleApproverCount - next.eligibleApprovers.length;
  const people = `${names}${more > 0 ? ` or one of ${more} more` : ''}`;
  return `Step ${next.step} of ${approval.steps.length} is for ${whoTakes(next)}: ${people} approves or rejects it.`;
}

function whoTakes({ role, logins }: Pick<ApprovalFacts['steps'][number], 'role' | 'logins'>): string {
  return logins === null ? `a ${role ?? 'checker'}` : logins.join(' or ');
}
