import type { Guard } from './guard.ts';

const CASE_ERASURE = 'test/store/case-erasure.services.ts';
const CASE_STATES = 'test/store/case-states.services.ts';

/** Checks of onboarding: nobody is signed up twice, personal data is read by few, and people decide what they must. */
export const ONBOARDING_GUARDS: readonly Guard[] = [
  {
    id: 'signed-up-once',
    against: 'a second sign-up of a case is sent, although the first one may have taken effect',
    without: "where operation = 'sign_up' and outcome is null and slot is not null;",
    test: { file: CASE_STATES, name: 'is never sent again after refused' },
  },
  {
    id: 'sign-up-begun-once',
    against: 'two workers sign an applicant up at the same time',
    without: 'create index one_sign_up on case_requests (case_id)',
    test: { file: CASE_STATES, name: 'begins once, however many workers try' },
  },
  {
    id: 'sign-ups-paused',
    against: 'a thousand applicants are refused because the connection is wrong',
    without: 'having count(*) = $2 and false',
    test: {
      file: 'test/store/sign-up-pauses.services.ts',
      name: 'are paused when so many in a row are refused with the same answer, and not before',
    },
  },
  {
    id: 'mail-signed-up-once',
    against: 'two cases sign the same mail address up',
    without: 'return [];',
    test: {
      file: 'test/workflows/onboarding.services.ts',
      name: 'whose mail address another case has is refused before anything is stored',
    },
  },
  {
    id: 'case-moves-by-table',
    against: 'a case gets a state that does not follow from the one before',
    without: 'if false then',
    test: { file: CASE_STATES, name: 'from draft to every state that the table names, and to no other' },
  },
  {
    id: 'case-keeps-user',
    against: 'a case continues with another user of the provider',
    without: 'if false then',
    test: { file: CASE_STATES, name: 'to no other user of the provider' },
  },
  {
    id: 'case-ended-by-people',
    against: 'a worker withdraws a case',
    without: 'if false and case_is_set_by_people(new.state) and old.state <> new.state',
    test: { file: CASE_STATES, name: 'from incomplete to every state that the table names, and to no other' },
  },
  {
    id: 'never-created-by-two',
    against: 'a sign-up counts as never created without two people, and the applicant is signed up again',
    without: 'if false and not exists (',
    test: { file: CASE_STATES, name: 'two of them say that a sign-up never took effect' },
  },
  {
    id: 'case-manual-outcome-by-another',
    against: 'one person alone says what became of a sign-up',
    without: "if false then\n  perform note(me.user_id::text, 'case_manual_outcome_refused', null, null,",
    test: { file: CASE_STATES, name: 'two of them say that a sign-up never took effect' },
    behind: 'the constraint confirmed_by_another, which fails without a message',
  },
  {
    id: 'case-of-other-account-hidden',
    against: 'a limited user changes a case of another account',
    without: 'return null;',
    test: { file: CASE_STATES, name: 'of another account do not exist for a limited user' },
  },
  {
    id: 'supplied-as-seen',
    against: 'new values overwrite those that somebody else has supplied meanwhile',
    without: 'if false then',
    test: { file: CASE_STATES, name: 'supply what they have seen, and not what somebody else has changed meanwhile' },
  },
  {
    id: 'kept-until-retention',
    against: 'personal data is erased while the law asks to keep it',
    without: 'if false then',
    test: { file: CASE_ERASURE, name: 'is kept until then' },
  },
  {
    id: 'key-erased',
    against: 'erased data can be read again from a backup',
    without: 'perform 1;',
    test: { file: CASE_ERASURE, name: 'is erased by two administrators, with its key' },
  },
  {
    id: 'readable-index-stays',
    against:
      'the secret of mail addresses is replaced although it can be read, and applicants who cannot be read are signed up twice',
    without: '',
    test: {
      file: 'test/operations/lost-data-key.services.ts',
      name: 'nothing is done while the secret can be read',
    },
  },
  {
    id: 'same-person',
    against: 'a case takes over a user with another mail address or name',
    without: '',
    test: { file: 'test/workflows/onboarding-takeover.long.ts', name: 'is not taken over with another' },
  },
  {
    id: 'status-encrypted',
    against: 'a status that is free text about a person lies in a plain column, and is never erased',
    without: '[caseId, seen.providerStatus, seen.accountId, seen.readAt, seen.encryptedStatus ?? null],',
    test: {
      file: 'test/workflows/onboarding-unlisted-status.services.ts',
      name: 'is in no plain column, and in no entry of the audit trail',
    },
  },
  {
    id: 'alarms-answered',
    against: 'a changed bank account is approved at the command line, and nobody says how it was checked',
    without: 'const answers = new Map(asked.map(({ key, id }) => [key, id]));',
    test: {
      file: 'test/client/cli-approve.test.ts',
      name: "approves nothing in which there is a finding of the kind 'account_changed' without an answer",
    },
  },
  {
    id: 'asked-before-it-pays',
    against: 'a wrong paste pays a run',
    without: 'if (io.env.NO_TERMINAL !== undefined) {',
    test: { file: 'test/client/cli-approve.test.ts', name: 'without a terminal pays only with --yes, and says so' },
  },
  {
    id: 'forget-confirmed',
    against: 'a wrong paste erases the data of somebody else for good',
    without: 'if (io.env.NO_TERMINAL !== undefined) {',
    test: {
      file: 'test/client/cli-onboard-views.test.ts',
      name: 'without a terminal to ask at, and without --yes, is refused and erases nothing',
    },
  },
  {
    id: 'named-users-are-read',
    against:
      'somebody is signed up twice, as two people said that there is no user whom an event had named, and nobody had read',
    without: 'if false then',
    test: {
      file: 'test/activities/named-users.services.ts',
      name: 'is not written by whoever writes it while a user was not read',
    },
  },
];
