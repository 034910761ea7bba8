/** The kinds of changes that take two administrators; the table `changes` takes no other one. */
export const CHANGE_KINDS = [
  'grant_roles',
  'enable_user',
  'invite_again',
  'set_accounts',
  'set_policy',
  'change_provider',
  'add_endpoint',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];
