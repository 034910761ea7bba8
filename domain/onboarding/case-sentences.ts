import { actionSentence, type StateSentences, withoutMarkdown } from '../state-table.ts';
import { CASE_REASONS, type CaseReason } from './case-reason-codes.ts';
import { CASE_STATE_TABLE, type CaseState } from './case-state.ts';
import type { HoldKind } from './onboarding-hold.ts';

/**
 * What is said of a case to people, from the facts of the database alone: the same sentences in the API, the console, the command line
 * and the export.
 */

export interface CaseFacts {
  caseId: string;
  state: CaseState;
  stateReason: CaseReason | null;
  withdrawn: { by: { name: string } } | null;
  erased: { by: { name: string } } | null;
  /** What keeps payrun from sending anything of it. */
  holds: readonly { kind: HoldKind }[];
  /** What people say became of its sign-up, the oldest first. */
  manualOutcomes: readonly { state: string; proposedBy: { name: string }; confirmedBy: { name: string } | null }[];
}

export function caseSentences(of: CaseFacts): StateSentences {
  const toDo = toDoOf(of);
  return { status: statusOf(of), toDo: toDo === null ? null : withoutMarkdown(toDo).replace(/\bCASE\b/g, of.caseId) };
}

function statusOf({ state, withdrawn, erased }: CaseFacts): string {
  if (erased !== null) return `The personal data was erased by ${erased.by.name}.`;
  if (withdrawn !== null) return `Withdrawn by ${withdrawn.by.name}.`;
  return withoutMarkdown(CASE_STATE_TABLE[state].meaning);
}

const HELD_BACK =
  'Sign-ups of the account are paused, since the last ones were all refused with the same answer. Read what the provider wrote ' +
  'in the refused cases (`payrun onboard pauses`); when the reason is gone, let sign-ups go on with `payrun onboard resume`.';

function toDoOf({ state, stateReason, holds, manualOutcomes }: CaseFacts): string | null {
  const said = manualOutcomes.findLast((each) => each.state === 'proposed');
  if (said !== undefined) {
    return said.confirmedBy === null
      ? `Somebody other than ${said.proposedBy.name}, who has the provider's answer shown to them, confirms or rejects what was said of the sign-up.`
      : `Nothing: ${said.proposedBy.name} and ${said.confirmedBy.name} have said what became of the sign-up, and payrun is carrying it out. Look again in a minute.`;
  }
  if (holds.some(({ kind }) => kind === 'paused')) return HELD_BACK;
  if (stateReason !== null && Object.hasOwn(CASE_REASONS, stateReason)) return CASE_REASONS[stateReason].fix;
  return actionSentence(CASE_STATE_TABLE[state]);
}
