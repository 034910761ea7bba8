import { type CaseState, PROVIDER_CASE_STATES, SUPPLIABLE_CASE_STATES } from './case-state.ts';

/** What the provider's status of a user says about a case. */
type UserStatusMeaning = Extract<
  CaseState,
  'screening' | 'verification' | 'inactive' | 'resubmission' | 'approved' | 'rejected'
>;

/** The last three are in newer versions of the provider. Contract: account 3. */
const MEANINGS: Readonly<Record<string, UserStatusMeaning | 'not_screened'>> = {
  // In a sample.
  pending: 'not_screened',
  pending_phone: 'not_screened',
  pending_docs: 'not_screened',
  pending_approval: 'screening',
  approved: 'approved',
  rejected: 'rejected',
  documents_need_resubmission: 'resubmission',
  pending_verification: 'verification',
  inactive: 'inactive',
  withdrawn: 'rejected',
  terminated: 'rejected',
  closed: 'rejected',
};

/** In place of a status that no version of the contract names: its text may be about the person. */
export const UNLISTED_STATUS = 'unlisted';

/** The status as it may lie outside encrypted data. */
export function plainUserStatus(status: string): string {
  return meaningOfUserStatus(status) === null ? UNLISTED_STATUS : status;
}

/** Null: a status that no version of the contract names. It is shown, and changes nothing. */
export function meaningOfUserStatus(status: string): UserStatusMeaning | 'not_screened' | null {
  return Object.hasOwn(MEANINGS, status) ? (MEANINGS[status] ?? null) : null;
}

/** The user is past a request for documents: being screened, or decided on. */
export function isPastPreparation(status: string): boolean {
  const meaning = meaningOfUserStatus(status);
  return meaning !== null && meaning !== 'not_screened' && meaning !== 'resubmission';
}

/** What was recorded of a case before its user was read. */
interface RecordedCase {
  state: CaseState;
  stateReason: string | null;
  providerStatus: string | null;
}

/**
 * The states that a case goes through because the provider shows this status; empty: it stays. A case that waits for an
 * onboarder, or is ready, follows a provider that went on by itself; one that waits since the provider does not decide, only
 * what is new.
 */
export function statesAfterReading({ state, stateReason, providerStatus }: RecordedCase, status: string): CaseState[] {
  const meaning = meaningOfUserStatus(status);
  if (meaning === null || meaning === 'not_screened') return [];
  if (PROVIDER_CASE_STATES.includes(state)) return meaning === state ? [] : [meaning];
  if (state !== 'ready' && !SUPPLIABLE_CASE_STATES.includes(state)) return [];
  const isUndecided = state === 'needs_provider' && stateReason === 'undecided';
  if (isUndecided ? PROVIDER_CASE_STATES.includes(meaning) && status === providerStatus : meaning === 'resubmission')
    return [];
  return meaning === 'screening' ? ['screening'] : ['screening', meaning];
}

/** The company of a user can be changed. Contract: account 3. */
export function mayChangeCompany(status: string | null): boolean {
  return status === null || meaningOfUserStatus(status) === 'not_screened';
}
