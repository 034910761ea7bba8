/** The states of a virtual account that people asked for, and the transitions that the database allows as well. */

export const VIRTUAL_ACCOUNT_STATES = ['asked', 'pending', 'approved', 'cancelled', 'rejected', 'unknown'] as const;
export type VirtualAccountState = (typeof VIRTUAL_ACCOUNT_STATES)[number];

interface VirtualAccountStateRule {
  next: readonly VirtualAccountState[];
  meaning: string;
  /** What a person has to do; null: nothing. */
  action: string | null;
}

export const VIRTUAL_ACCOUNT_STATE_TABLE: Readonly<Record<VirtualAccountState, VirtualAccountStateRule>> = {
  asked: {
    next: ['pending', 'approved', 'cancelled', 'rejected', 'unknown'],
    meaning: 'A treasurer has asked for it. The request is being sent.',
    action: null,
  },
  pending: {
    next: ['approved', 'cancelled', 'rejected'],
    meaning: 'The provider has the request.',
    action: 'without a configured path to read it by: look it up at the provider, and resolve it by two people',
  },
  approved: { next: [], meaning: 'The provider has approved it. Its number may be given out.', action: null },
  cancelled: {
    next: [],
    meaning: 'The request was cancelled, or was never created.',
    action: 'ask again if it is needed',
  },
  rejected: { next: [], meaning: 'The provider has refused it.', action: 'ask the provider why' },
  unknown: {
    next: ['pending', 'approved', 'cancelled', 'rejected'],
    meaning: 'The request was sent and not answered: the provider may have it.',
    action: 'look for the name with its tag at the provider, and resolve it by two people',
  },
};

/** The state that a status of the provider means; null: none that is documented. Contract: payments 3. */
export function stateOfVirtualAccount(status: string): VirtualAccountState | null {
  return status === 'pending' || status === 'approved' || status === 'cancelled' || status === 'rejected'
    ? status
    : null;
}
