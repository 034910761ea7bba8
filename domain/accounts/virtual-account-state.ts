import { type StateTexts, statesWhere } from '../state-table.ts';

/** The states of a virtual account that people asked for, and all that is asked of each. */

export const VIRTUAL_ACCOUNT_STATES = ['asked', 'pending', 'approved', 'cancelled', 'rejected', 'unknown'] as const;
export type VirtualAccountState = (typeof VIRTUAL_ACCOUNT_STATES)[number];

export interface VirtualAccountStateRow extends StateTexts {
  next: readonly VirtualAccountState[];
  /** The provider is not known to have decided. */
  isOpen: boolean;
  /** The request may be under way, or was not answered: whether the provider has it is not known. */
  isUnanswered: boolean;
  /** Two people may say what became of it. */
  mayBeResolved: boolean;
  /** A status of the provider, by the same name. Contract: payments 3. */
  isStatus: boolean;
}

export const VIRTUAL_ACCOUNT_STATE_TABLE: Readonly<Record<VirtualAccountState, VirtualAccountStateRow>> = {
  asked: {
    word: 'Being asked for',
    tone: 'moving',
    meaning: 'A treasurer has asked for it. The request is being sent.',
    action: null,
    next: ['pending', 'approved', 'cancelled', 'rejected', 'unknown'],
    isOpen: true,
    isUnanswered: true,
    mayBeResolved: false,
    isStatus: false,
  },
  pending: {
    word: 'Provider decides',
    tone: 'waiting',
    meaning: 'The provider has the request, and has not decided.',
    action: 'without a configured path to read it by: look it up at the provider, and resolve it by two people',
    next: ['approved', 'cancelled', 'rejected'],
    isOpen: true,
    isUnanswered: false,
    mayBeResolved: true,
    isStatus: true,
  },
  approved: {
    word: 'Approved',
    tone: 'paid',
    meaning: 'The provider has approved it. Its number may be given out.',
    action: null,
    next: [],
    isOpen: false,
    isUnanswered: false,
    mayBeResolved: false,
    isStatus: true,
  },
  cancelled: {
    word: 'Cancelled',
    tone: 'neutral',
    meaning: 'The request was cancelled, or was never created.',
    action: 'ask again if it is needed',
    next: [],
    isOpen: false,
    isUnanswered: false,
    mayBeResolved: false,
    isStatus: true,
  },
  rejected: {
    word: 'Rejected',
    tone: 'failed',
    meaning: 'The provider has refused it.',
    action: 'ask the provider why',
    next: [],
    isOpen: false,
    isUnanswered: false,
    mayBeResolved: false,
    isStatus: true,
  },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    meaning: 'The request was sent and not answered: the provider may have it.',
    action: 'look for the name with its tag at the provider, and resolve it by two people',
    next: ['pending', 'approved', 'cancelled', 'rejected'],
    isOpen: true,
    isUnanswered: true,
    mayBeResolved: true,
    isStatus: false,
  },
};

export function virtualAccountStatesWhere(
  isSo: (row: VirtualAccountStateRow) => boolean,
): readonly VirtualAccountState[] {
  return statesWhere(VIRTUAL_ACCOUNT_STATE_TABLE, isSo);
}

/** The provider is not known to have decided. */
export const OPEN_VIRTUAL_ACCOUNT_STATES = virtualAccountStatesWhere(({ isOpen }) => isOpen);

/** Whether the provider has the request is not known. */
export const UNANSWERED_VIRTUAL_ACCOUNT_STATES = virtualAccountStatesWhere(({ isUnanswered }) => isUnanswered);

const STATUSES: readonly string[] = virtualAccountStatesWhere(({ isStatus }) => isStatus);

/** The state that a status of the provider means; null: none that is documented. Contract: payments 3. */
export function stateOfVirtualAccount(status: string): VirtualAccountState | null {
  return STATUSES.includes(status) ? (status as VirtualAccountState) : null;
}
