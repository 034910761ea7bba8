import { statesWhere } from '../state-table.ts';

/** The states of what one person says about an unknown outcome, for another to confirm, and all that is asked of each. */

export const RESOLUTION_STATES = ['proposed', 'confirmed', 'denied', 'voided', 'contradicted'] as const;
export type ResolutionState = (typeof RESOLUTION_STATES)[number];

const SUBJECTS = ['payment', 'conversion', 'case', 'virtual_account'] as const;
type ResolutionSubject = (typeof SUBJECTS)[number];

interface ResolutionStateRow {
  /** What was said is not taken back, denied, or contradicted. */
  holds: boolean;
  /** What can be resolved so. */
  of: readonly ResolutionSubject[];
}

export const RESOLUTION_STATE_TABLE: Readonly<Record<ResolutionState, ResolutionStateRow>> = {
  proposed: { holds: true, of: SUBJECTS },
  confirmed: { holds: true, of: SUBJECTS },
  denied: { holds: false, of: SUBJECTS },
  /** The row changed before anyone confirmed it. */
  voided: { holds: false, of: ['payment'] },
  /** The provider said otherwise. */
  contradicted: { holds: false, of: ['payment', 'conversion', 'case'] },
};

export function resolutionStatesOf(subject: ResolutionSubject): readonly ResolutionState[] {
  return statesWhere(RESOLUTION_STATE_TABLE, ({ of }) => of.includes(subject));
}
