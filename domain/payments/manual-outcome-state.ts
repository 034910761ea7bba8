import { statesWhere } from '../state-table.ts';

/** The states of what one person says about an unknown outcome, for another to confirm, and all that is asked of each. */

export const MANUAL_OUTCOME_STATES = ['proposed', 'confirmed', 'rejected', 'voided', 'contradicted'] as const;
export type ManualOutcomeState = (typeof MANUAL_OUTCOME_STATES)[number];

const SUBJECTS = ['payment', 'conversion', 'case', 'virtual_account'] as const;
type ManualOutcomeSubject = (typeof SUBJECTS)[number];

interface ManualOutcomeStateRow {
  /** What was said is not taken back, rejected, or contradicted. */
  holds: boolean;
  /** What can be resolved so. */
  of: readonly ManualOutcomeSubject[];
}

export const MANUAL_OUTCOME_STATE_TABLE: Readonly<Record<ManualOutcomeState, ManualOutcomeStateRow>> = {
  proposed: { holds: true, of: SUBJECTS },
  confirmed: { holds: true, of: SUBJECTS },
  rejected: { holds: false, of: SUBJECTS },
  /** The row changed before anyone confirmed it. */
  voided: { holds: false, of: ['payment'] },
  /** The provider said otherwise. */
  contradicted: { holds: false, of: ['payment', 'conversion', 'case'] },
};

export function manualOutcomeStatesOf(subject: ManualOutcomeSubject): readonly ManualOutcomeState[] {
  return statesWhere(MANUAL_OUTCOME_STATE_TABLE, ({ of }) => of.includes(subject));
}
