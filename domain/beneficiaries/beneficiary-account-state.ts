import type { StateTexts } from '../state-table.ts';

/** The states of an account in the book of beneficiaries. */

export const BENEFICIARY_ACCOUNT_STATES = ['proposed', 'confirmed', 'rejected', 'ended'] as const;
export type BeneficiaryAccountState = (typeof BENEFICIARY_ACCOUNT_STATES)[number];

export const BENEFICIARY_ACCOUNT_STATE_TABLE: Readonly<Record<BeneficiaryAccountState, StateTexts>> = {
  proposed: {
    word: 'Waits for confirmation',
    tone: 'waiting',
    meaning: 'Somebody has added it. Rows that pay it may be held until a second person confirms it.',
    action: 'a checker who did not add it compares it, calls the beneficiary, and confirms or rejects it',
  },
  confirmed: {
    word: 'Confirmed',
    tone: 'paid',
    meaning: 'A second person has confirmed it.',
    action: null,
  },
  rejected: {
    word: 'Rejected',
    tone: 'failed',
    meaning: 'It was not confirmed, and rows that pay it are held.',
    action: null,
  },
  ended: {
    word: 'Ended',
    tone: 'neutral',
    meaning: 'It is in use no longer: nothing more is paid to it without a new confirmation.',
    action: null,
  },
};
