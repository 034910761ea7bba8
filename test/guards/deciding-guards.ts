import type { Guard } from './guard.ts';

const APPROVALS = 'test/store/approvals.services.ts';
const APPROVAL_POLICIES = 'test/store/approval-policies.services.ts';
const APPROVAL_GROUPS = 'test/store/approval-groups.services.ts';
const REFERENCE_RATES = 'test/store/reference-rates.services.ts';
const APPROVAL_LIMITS = 'test/store/approval-limits.services.ts';
const DUPLICATES = 'test/store/duplicates.services.ts';
const ROW_RELEASES = 'test/store/row-releases.services.ts';
const BULK_RELEASES = 'test/store/bulk-releases.services.ts';

/** Checks of when an approval counts, and for which step of the policy. */
export const DECIDING_GUARDS: readonly Guard[] = [
  {
    id: 'not-ones-own-run',
    against: 'a maker decides on their own run',
    without: 'if false then',
    test: { file: APPROVALS, name: 'cannot be given by the maker of the run, whatever their roles' },
  },
  {
    id: 'decided-while-open',
    against: 'a run is decided on that has ended or is already approved',
    without: 'if false then',
    test: { file: APPROVALS, name: 'freezes the rows once and lets the run be paid' },
  },
  {
    id: 'content-as-seen',
    against: 'an approval counts for other content than the approver saw',
    without: 'if false then',
    test: { file: APPROVALS, name: 'is only for the content that was seen: the hash changes with any field of a row' },
  },
  {
    id: 'step-of-role',
    against: 'a step is approved by someone without its role',
    without: 'else named.user_id = p_user end',
    test: { file: APPROVAL_POLICIES, name: 'counts a step only for users with its role' },
  },
  {
    id: 'step-of-login',
    against: 'a step is approved by someone whom the policy does not name',
    without: "when p_step ? 'logins' then named.user_id = p_user",
    test: { file: APPROVAL_POLICIES, name: 'may name who approves a step' },
  },
  {
    id: 'step-asked',
    against: 'a step is approved by anyone who may decide on runs',
    without: 'if false then',
    test: { file: APPROVAL_POLICIES, name: 'may name who approves a step' },
  },
  {
    id: 'different-people',
    against: 'one person approves several steps',
    without: 'and false) then',
    test: {
      file: APPROVAL_POLICIES,
      name: 'needs a different person for each step, all approving the content that the first one saw',
    },
    behind: 'the table: one-person-counts-once',
  },
  {
    id: 'one-person-counts-once',
    against: 'two approvals of one person are recorded for the same content',
    without: '',
    test: { file: 'test/store/database-guards.services.ts', name: 'nobody approves the same content of a run twice' },
    behind: 'different-people',
  },
  {
    id: 'steps-of-same-content',
    against: 'an approval of other content counts for a step',
    without: '',
    test: {
      file: APPROVAL_POLICIES,
      name: 'needs a different person for each step, all approving the content that the first one saw',
    },
  },
  {
    id: 'approver-may-still',
    against: 'the approval of someone who may no longer decide counts for a step',
    without: '',
    test: { file: APPROVAL_POLICIES, name: 'does not count users who may no longer decide' },
  },
  {
    id: 'step-still-asked',
    against: 'an earlier approval counts for a step that now belongs to someone else',
    without: '',
    test: {
      file: APPROVAL_POLICIES,
      name: 'that was changed to require somebody else is not satisfied by earlier approvals',
    },
  },
  {
    id: 'named-for-themselves',
    against: 'a deputy takes the step of another, and lacks for the one that names them',
    without: '',
    test: { file: APPROVAL_GROUPS, name: 'acts for nobody where a step names them: they would lack for that one' },
  },
  {
    id: 'one-approval-one-step',
    against: 'one approval takes every step that asks for its user',
    without: '',
    test: {
      file: APPROVAL_POLICIES,
      name: 'needs a different person for each step, all approving the content that the first one saw',
    },
  },
  {
    id: 'all-steps',
    against: 'a run pays after only the first of several steps',
    without: 'v_is_last := true;',
    test: {
      file: APPROVAL_POLICIES,
      name: 'needs a different person for each step, all approving the content that the first one saw',
    },
  },
  {
    id: 'as-many-approvals',
    against: 'one person is enough where a step asks for two of a group',
    without: 'generate_series(1, 1) as n,',
    test: { file: APPROVAL_GROUPS, name: 'is for its members, as many of them as it asks for' },
  },
  {
    id: 'no-deputy-of-the-maker',
    against: 'a maker has their own run approved by their deputy, in their name',
    without: '',
    test: { file: APPROVAL_GROUPS, name: 'does not act for the maker of the run' },
  },
  {
    id: 'deputy-of-a-decider',
    against: 'somebody acts for a user who may no longer decide',
    without: '',
    test: { file: APPROVAL_GROUPS, name: 'acts for nobody who may not decide themselves' },
  },
  {
    id: 'deputy-in-time',
    against: 'a deputy acts before or after the days of the policy',
    without: '',
    test: { file: APPROVAL_GROUPS, name: 'acts for a user after' },
  },
  {
    id: 'deputy-and-user-count-once',
    against: 'a user and their deputy are two of a group',
    without: '',
    test: { file: APPROVAL_GROUPS, name: 'and the user count as one' },
  },
  {
    id: 'steps-counted-once',
    against:
      'an approval that begins to count while another one is given makes that the last one, and no limit is asked',
    without: 'v_open := open_steps(taken_steps(p_run, p_content_hash, v_steps));',
    test: { file: APPROVAL_LIMITS, name: 'the limits are asked of the approval that is the last one' },
  },
  {
    id: 'deputies-never-count-twice',
    against: 'a deputy whose approval counted no longer, and counts again, and the user are two of a group',
    without: 'select given.user_id, given.counts_for',
    test: { file: APPROVAL_GROUPS, name: 'whose approval counts no longer' },
  },
  {
    id: 'limit-not-passed',
    against: 'many small runs pay what nobody may approve in one',
    without: 'if false then',
    test: { file: APPROVAL_LIMITS, name: 'refuse the approval that would pass the sum of a day' },
  },
  {
    id: 'limits-one-at-a-time',
    against: 'approvals at the same moment pass a limit together',
    without: '',
    test: { file: APPROVAL_LIMITS, name: 'of two approvals at the same moment let one pass' },
  },
  {
    id: 'limits-count-the-approved',
    against: 'a limit of a day or a week counts the run alone that is approved',
    without: 'where false',
    test: { file: APPROVAL_LIMITS, name: 'refuse the approval that would pass the sum of a day' },
  },
  {
    id: 'limits-need-rates',
    against: 'an amount in a currency without a rate counts as nothing',
    without: 'if false then',
    test: { file: APPROVAL_LIMITS, name: 'block a run in a currency without a rate' },
  },
  {
    id: 'reference-rates-of-these-days',
    against: 'amounts are compared with a limit at a rate of long ago',
    without: 'where true',
    test: { file: APPROVAL_LIMITS, name: 'know no rate that is older than five days' },
  },
  {
    id: 'doubted-rates-are-missing',
    against: 'whoever has the login of a worker writes rates by which everything is below the limits',
    without: 'select case when false then null',
    test: { file: REFERENCE_RATES, name: 'that jump are in doubt' },
  },
  {
    id: 'rates-do-not-jump',
    against:
      'whoever has the login of a worker writes rates by which everything is below the limits, at once or in small steps',
    without: 'where false order by currency)',
    test: { file: REFERENCE_RATES, name: 'do not jump in small steps either' },
  },
  {
    id: 'rates-named-and-positive',
    against: 'rates without a source, of a day to come or of nothing take the place of those in force',
    without: '',
    test: { file: REFERENCE_RATES, name: 'are refused' },
  },
  {
    id: 'rates-kept',
    against: 'rates that the limits relied on are changed afterwards',
    without: '',
    test: { file: REFERENCE_RATES, name: 'are only added to' },
  },
  {
    id: 'limit-of-maker',
    against: 'the limit of a maker is that of all makers together',
    without: "when 'maker' then true else true end",
    test: { file: APPROVAL_LIMITS, name: 'of a maker count what this maker has submitted' },
  },
  {
    id: 'not-released-by-maker',
    against: 'a maker releases a duplicate suspect of their own',
    without: 'if false then',
    test: { file: ROW_RELEASES, name: 'is not made by the maker of the run' },
  },
  {
    id: 'released-before-approval',
    against: 'a row is released without a new approval of its run',
    without: 'if false then',
    test: { file: ROW_RELEASES, name: 'is only for a suspected row of a run that waits for a decision' },
    behind: 'the approved content: rows that nobody approved are never sent',
  },
  {
    id: 'released-suspects-alone',
    against: 'a row that is not a duplicate suspect is released',
    without: 'if false then',
    test: { file: ROW_RELEASES, name: 'is only for a suspected row of a run that waits for a decision' },
  },
  {
    id: 'returned-by-its-transaction',
    against: 'a row is paid again as an equal amount of other money was taken for its refund',
    without: '',
    test: { file: ROW_RELEASES, name: 'are also those that are returned by an equal amount alone' },
  },
  {
    id: 'not-released-beside-unfunded',
    against: 'a row is paid again while anybody could still fund the first one at the provider',
    without: 'if false then',
    test: { file: ROW_RELEASES, name: 'waits until a similar row that nobody has seen funded is resolved' },
  },
  {
    id: 'released-beside-all',
    against: 'a server that is taken over has a row released by a wrong statement of what it repeats',
    without: "v_similar := '{}';",
    test: { file: BULK_RELEASES, name: 'is of what the database finds that they repeat, whatever a server says' },
  },
  {
    id: 'proposed-once-checked',
    against: 'whoever reaches Temporal has a run decided on whose duplicates nobody looked for',
    without: 'if false then',
    test: { file: DUPLICATES, name: 'once duplicates were looked for among its rows' },
  },
  {
    id: 'suspected-before-decided',
    against: 'whoever reaches Temporal makes suspected duplicates of approved rows',
    without: 'if (rows.length === 0) return 0;',
    test: { file: DUPLICATES, name: 'and duplicates are not looked for again after that' },
  },
  {
    id: 'compared-since-read',
    against: 'a row is approved whose account became known after duplicates were looked for',
    without: 'and false) then',
    test: { file: DUPLICATES, name: 'with the accounts that were known when duplicates were looked for' },
  },
  {
    id: 'released-as-seen',
    against: 'rows are released although others were added since, or other rows that they may repeat',
    without: 'if false then',
    test: { file: BULK_RELEASES, name: 'is refused if there are others by now than those that were seen' },
  },
  {
    id: 'asking-is-no-doing',
    against: 'something is done because somebody asked whether they may do it',
    without: '',
    test: { file: 'test/store/allowed-actions.services.ts', name: 'asking leaves nothing behind' },
  },
  {
    id: 'draft-of-its-maker',
    against: 'a maker reads the draft of another one',
    without:
      'const { rows } = await database.query<DraftRecord>(`${DRAFT} where draft_id = $1 and $2::uuid is not null`, [',
    test: { file: 'test/workflows/console-drafts.services.ts', name: 'a draft belongs to its maker' },
  },
];
