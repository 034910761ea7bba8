import { type Guard, MIGRATIONS } from './guard.ts';

/** Checks of onboarding: nobody is signed up twice, personal data is read by few, and people decide what they must. */

const ONBOARDING = `${MIGRATIONS}/0031_onboarding.sql`;
const PAUSES = `${MIGRATIONS}/0032_onboarding-pauses-and-reminders.sql`;
const states = (name: string) => ({ file: 'test/store/case-states.services.ts', name });

export const ONBOARDING_GUARDS: readonly Guard[] = [
  {
    id: 'signed-up-once',
    against: 'a second sign-up of a case is sent, although the first one may have taken effect',
    file: PAUSES,
    text: `where operation = 'sign_up' and outcome is distinct from 'had_no_effect' and retried_by is null;`,
    without: `where operation = 'sign_up' and outcome is null and slot is not null;`,
    test: states('is never sent again after refused'),
  },
  {
    id: 'sign-up-begun-once',
    against: 'two workers sign an applicant up at the same time',
    file: PAUSES,
    text: 'create unique index one_sign_up on',
    without: 'create index one_sign_up on',
    test: states('begins once, however many workers try'),
  },
  {
    id: 'sign-ups-paused',
    against: 'a thousand applicants are refused because the connection is wrong',
    file: 'store/onboarding/sign-up-pauses.ts',
    text: 'having count(*) = $2 and bool_and(is_refused and answer_digest is not null) and count(distinct answer_digest) = 1',
    without: 'having count(*) = $2 and false',
    test: {
      file: 'test/store/sign-up-pauses.services.ts',
      name: 'are paused when so many in a row are refused with the same answer, and not before',
    },
  },
  {
    id: 'mail-signed-up-once',
    against: 'two cases sign the same mail address up',
    file: 'application/onboarding/submit-applicants.ts',
    text: 'if (other === undefined || (!other.isOpen && address.takesOver)) return [];',
    without: 'return [];',
    test: {
      file: 'test/workflows/onboarding.services.ts',
      name: 'whose mail address another case has is refused before anything is stored',
    },
  },
  {
    id: 'case-moves-by-table',
    against: 'a case gets a state that does not follow from the one before',
    file: PAUSES,
    text: 'if old.state <> new.state and not may_move_case(old.state, new.state) then',
    without: 'if false then',
    test: states('from draft to every state that the table names, and to no other'),
  },
  {
    id: 'case-keeps-user',
    against: 'a case continues with another user of the provider',
    file: PAUSES,
    text: 'if old.user_id is not null and new.user_id is distinct from old.user_id then',
    without: 'if false then',
    test: states('to no other user of the provider'),
  },
  {
    id: 'case-ended-by-people',
    against: 'a worker withdraws a case',
    file: PAUSES,
    text: `if new.state in ('withdrawn', 'erased', 'draft') and old.state <> new.state`,
    without: `if false and new.state in ('withdrawn', 'erased', 'draft') and old.state <> new.state`,
    test: states('from incomplete to every state that the table names, and to no other'),
  },
  {
    id: 'never-created-by-two',
    against: 'a sign-up counts as never created without two people, and the applicant is signed up again',
    file: PAUSES,
    text: `if old.state = 'unknown' and new.state = 'never_created' and not exists (`,
    without: `if false and not exists (`,
    test: states('two of them say that a sign-up never took effect'),
  },
  {
    id: 'case-resolution-by-another',
    against: 'one person alone says what became of a sign-up',
    file: `${MIGRATIONS}/0054_sign-in-under-attack.sql`,
    text: "if v.proposed_by = me.user_id then\n    perform note(me.user_id::text, 'case_resolution_refused'",
    without: "if false then\n    perform note(me.user_id::text, 'case_resolution_refused'",
    test: states('two of them say that a sign-up never took effect'),
    behind: 'the constraint confirmed_by_another, which fails without a message',
  },
  {
    id: 'case-of-other-account-hidden',
    against: 'a limited user changes a case of another account',
    file: ONBOARDING,
    text: 'if user_may_use(p_user, v_account) then return null; end if;',
    without: 'return null;',
    test: states('of another account do not exist for a limited user'),
  },
  {
    id: 'supplied-as-seen',
    against: 'new values overwrite those that somebody else has supplied meanwhile',
    file: ONBOARDING,
    text: 'if v.revision <> p_seen_revision then',
    without: 'if false then',
    test: states('supply what they have seen, and not what somebody else has changed meanwhile'),
  },
  {
    id: 'kept-until-retention',
    against: 'personal data is erased while the law asks to keep it',
    file: PAUSES,
    text: 'if v_from > clock_timestamp() then',
    without: 'if false then',
    test: states('is kept until then'),
  },
  {
    id: 'key-erased',
    against: 'erased data can be read again from a backup',
    file: PAUSES,
    text: 'delete from case_keys where case_id = p_case;',
    without: 'perform 1;',
    test: states('is erased by an administrator, with its key, after its retention'),
  },
  {
    id: 'same-person',
    against: 'a case takes over a user with another mail address or name',
    file: 'activities/onboarding/find-signed-up.ts',
    text: "if (!hmacOf(user.email).equals(record.emailHmac)) return 'mail_address';",
    without: '',
    test: { file: 'test/workflows/onboarding-takeover.long.ts', name: 'is not taken over with another' },
  },
  {
    id: 'status-sealed',
    against: 'a status that is free text about a person lies in a plain column, and is never erased',
    file: 'store/onboarding/case-transition.ts',
    text: '[caseId, plainUserStatus(seen.providerStatus), seen.accountId,',
    without: '[caseId, seen.providerStatus, seen.accountId,',
    test: {
      file: 'test/workflows/onboarding-unlisted-status.services.ts',
      name: 'is in no plain column, and in no entry of the audit trail',
    },
  },
  {
    id: 'forget-confirmed',
    against: 'a wrong paste erases the data of somebody else for good',
    file: 'client/cli/confirm.ts',
    text: "if (!('isTTY' in io.stdin) || io.stdin.isTTY !== true) {",
    without: 'if (io.env.NO_TERMINAL !== undefined) {',
    test: {
      file: 'test/client/cli-onboard-views.test.ts',
      name: 'without a terminal to ask at, and without --yes, is refused and erases nothing',
    },
  },
];
