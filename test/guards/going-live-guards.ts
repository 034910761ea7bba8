import type { Guard } from './guard.ts';

const GOING_LIVE = 'test/store/going-live.services.ts';

/** Checks of the step by two that comes before anything is approved on a real provider. */
export const GOING_LIVE_GUARDS: readonly Guard[] = [
  {
    id: 'real-provider-awaits',
    against: 'one administrator who has set up alone has real payments approved',
    without: 'select false',
    test: { file: GOING_LIVE, name: 'no run is approved, and one is rejected' },
  },
  {
    id: 'unknown-provider-is-real',
    against:
      'one administrator has a schedule confirmed before the first worker has recorded a real provider, and it outlives going live',
    without: 'select coalesce((select not bool_and(is_sandbox) from provider_accounts), false)',
    test: {
      file: 'test/store/unknown-provider.services.ts',
      name: 'nothing is approved or asked for, and the refusal says why',
    },
  },
  {
    id: 'approved-once-live',
    against: 'a run is approved on a real provider by users whose codes one administrator had',
    without: 'v_refusal := null;',
    test: { file: GOING_LIVE, name: 'no run is approved, and one is rejected' },
  },
  {
    id: 'conversion-approved-once-live',
    against: 'an order is approved on a real provider by users whose codes one administrator had',
    without: 'v_refusal := null;',
    test: { file: GOING_LIVE, name: 'no order is approved, nor goes through' },
  },
  {
    id: 'conversion-once-live',
    against: 'an order that needs no approval, by a policy that one administrator set, is carried out',
    without: 'select (',
    test: { file: GOING_LIVE, name: 'no order is approved, nor goes through' },
  },
  {
    id: 'schedule-once-live',
    against: 'a schedule is confirmed by users whose codes one administrator had',
    without: 'v_refusal := null;',
    test: { file: GOING_LIVE, name: 'no schedule is confirmed' },
  },
  {
    id: 'signed-up-once-live',
    against: 'applicants are signed up with a real provider by an onboarder whose code one administrator had',
    without: 'v_refusal := null;',
    test: { file: GOING_LIVE, name: 'nobody is signed up' },
  },
  {
    id: 'virtual-account-once-live',
    against: 'a virtual account is asked for by a treasurer whose code one administrator had',
    without: 'v_refusal := null;',
    test: { file: GOING_LIVE, name: 'nobody is signed up' },
  },
  {
    id: 'live-by-two',
    against: 'one administrator goes live alone while they set up',
    without: 'if is_setting_up() then perform make_effective(v_change, null); end if;',
    test: { file: GOING_LIVE, name: 'takes another administrator than who proposed it' },
  },
  {
    id: 'live-never-by-time',
    against: 'going live takes effect by waiting, where one administrator sets such a policy',
    without: 'select removes_somebody(p_kind)',
    test: { file: GOING_LIVE, name: 'takes another administrator than who proposed it' },
  },
  {
    id: 'codes-of-the-owner',
    against: 'one administrator adds the second one, keeps the code, and goes live as both',
    without: 'when false then',
    test: { file: GOING_LIVE, name: 'takes two whose codes the owner of the database has made' },
  },
  {
    id: 'live-as-set-up',
    against: 'what the second administrator has looked at is changed before they confirm',
    without: "when 'go_live' then (select jsonb_build_object('setUp', count(line) < 0)",
    test: { file: GOING_LIVE, name: 'is for what was set up when it was proposed' },
  },
  {
    id: 'live-with-mail-addresses',
    against: 'codes of a user go elsewhere after going live than the second administrator was shown',
    without: '',
    test: { file: GOING_LIVE, name: 'is replaced if codes of a user go elsewhere meanwhile' },
  },
  {
    id: 'live-with-endpoints',
    against:
      'an endpoint that tells of what others do is disabled, or another one added, after the second administrator has looked',
    without: '',
    test: { file: GOING_LIVE, name: 'shows both where notifications go' },
  },
  {
    id: 'live-with-schedules',
    against: 'a schedule is in force after going live that the second administrator was not shown',
    without: '',
    test: { file: GOING_LIVE, name: 'is replaced if a schedule is in force' },
  },
  {
    id: 'live-with-virtual-accounts',
    against: 'a virtual account is there after going live that the second administrator was not shown',
    without: '',
    test: { file: GOING_LIVE, name: 'is replaced if a schedule is in force' },
  },
  {
    id: 'live-with-administrators-who-stay',
    against: 'an administrator who was to be disabled signs in after the second one has looked, and stays',
    without: '',
    test: { file: GOING_LIVE, name: 'shows which administrators stay' },
  },
  {
    id: 'live-disables-the-unused',
    against:
      'the administrator that the first start has made is still there, and comes back by a code that nobody expects',
    without: '',
    test: { file: GOING_LIVE, name: 'disables administrators who have never signed in' },
  },
  {
    id: 'live-ends-sign-ins',
    against: 'what one administrator made while setting up alone signs others in for years',
    without: 'perform null;',
    test: { file: GOING_LIVE, name: 'ends what everybody else could sign in by' },
  },
  {
    id: 'live-ends-other-tokens',
    against: 'tokens that were made before are valid for years',
    without: '',
    test: { file: GOING_LIVE, name: 'ends what everybody else could sign in by' },
  },
  {
    id: 'live-ends-invitations',
    against: 'an invitation that was confirmed while one administrator was alone gives a code afterwards',
    without: 'perform null;',
    test: { file: GOING_LIVE, name: 'ends what everybody else could sign in by' },
  },
  {
    id: 'live-ends-setting-up',
    against: 'one administrator goes on giving deciding roles until the first run is approved',
    without: "select not exists (select from approvals where decision = 'approved')",
    test: { file: GOING_LIVE, name: 'ends the time in which one administrator sets up alone' },
  },
];
