import { REPEATED_REFUSALS } from '../repeated-refusals.ts';

/** The steps at which the provider refuses a row for good. */
export const REFUSABLE_STEPS = ['beneficiary', 'quote', 'create'] as const;
export type RefusableStep = (typeof REFUSABLE_STEPS)[number];

/** An answer with which a row ended. The provider's text may name the row, so it tells no answers apart. */
export interface RowRefusal {
  step: RefusableStep;
  httpStatus: number;
  /** The provider's code, or payrun's own for an answer without one. */
  errorCode: string;
}

/** Rows of a run in a row that were refused with the same answer, as far as was counted. */
export interface RefusalStreak extends RowRefusal {
  count: number;
}

/** The streak that this refusal continues, or begins. Null before: none was counted yet. */
export function streakAfter(before: RefusalStreak | null, refusal: RowRefusal): RefusalStreak {
  return { ...refusal, count: before !== null && isSameAnswer(before, refusal) ? before.count + 1 : 1 };
}

function isSameAnswer(one: RowRefusal, other: RowRefusal): boolean {
  return one.step === other.step && one.httpStatus === other.httpStatus && one.errorCode === other.errorCode;
}

export function pausesRun({ count }: Pick<RefusalStreak, 'count'>): boolean {
  return count >= REPEATED_REFUSALS;
}

const STEPS: Readonly<Record<RefusableStep, string>> = {
  beneficiary: 'create the beneficiary',
  quote: 'quote the payment',
  create: 'create the payment',
};

/** Why payrun has stopped a run by itself: one sentence, without a full stop. */
export function refusalsInWords({ step, httpStatus, errorCode, count }: RefusalStreak): string {
  return `the provider refused ${count} rows in a row with the same answer to the request to ${STEPS[step]}: HTTP ${httpStatus}, ${errorCode}`;
}
