import type { Permission } from './role.ts';

/**
 * What a token may be used for, of all that the roles of its user permit: every token reads; one that submits also prepares, proposes
 * and stops; only one that decides approves, confirms, rejects, or changes users, policy and endpoints. A session has all of them. The
 * database has the same table (`scope_of` in `store/users/token-scopes.sql`).
 */

export const TOKEN_SCOPES = ['read', 'submit', 'decide'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

const SCOPE_OF: Readonly<Record<Permission, TokenScope>> = {
  submit_run: 'submit',
  edit_beneficiaries: 'submit',
  decide_run: 'decide',
  propose_manual_outcome: 'submit',
  stop_payments: 'submit',
  /** To ask for it, and to cancel: who lifts a stop in the end decides on runs. */
  lift_stop: 'submit',
  read_runs: 'read',
  read_instructions: 'read',
  read_audit: 'read',
  manage_users: 'decide',
  confirm_change: 'decide',
  object_to_change: 'decide',
  erase_remark: 'decide',
  read_cases: 'read',
  read_applicants: 'read',
  onboard: 'submit',
  confirm_case: 'decide',
  erase_case: 'decide',
  erase_run: 'decide',
  convert: 'submit',
  decide_conversion: 'decide',
  assign_receipt: 'submit',
  request_virtual_account: 'submit',
  confirm_virtual_account: 'decide',
};

/** The scope that a token needs to use a permission of its user. */
export function scopeOf(permission: Permission): TokenScope {
  return SCOPE_OF[permission];
}
