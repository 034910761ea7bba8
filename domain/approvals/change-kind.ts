/** The kinds of changes that take two administrators; the table `changes` takes no other one. */
export const CHANGE_KINDS = [
  'grant_roles',
  'remove_role',
  'enable_user',
  'disable_user',
  'invite_again',
  'set_accounts',
  'set_policy',
  'change_provider',
  'add_endpoint',
  'enable_endpoint',
  'disable_endpoint',
  'remove_endpoint',
  'erase_remark',
  'erase_run',
  'erase_case',
  'set_mail',
  'go_live',
  'add_factor',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What becomes of a change. `replaced`: what it was based on was in force no longer when it was to take effect. */
export const CHANGE_STATES = ['pending', 'effective', 'rejected', 'replaced'] as const;
export type ChangeStateName = (typeof CHANGE_STATES)[number];
