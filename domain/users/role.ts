/**
 * What each role may do. A user may have several roles, and never decides on what they submitted or proposed. An
 * administrator has no other role (`administrators_hold_no_other_role` in `store/users/users.sql` sees to it). The database has the same
 * table (`role_may` in its functions).
 */

export const ROLES = ['maker', 'checker', 'treasurer', 'onboarder', 'viewer', 'auditor', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = [
  'submit_run',
  /** To add accounts of beneficiaries to the book, and to end them: to confirm one is to decide. */
  'edit_beneficiaries',
  'decide_run',
  'propose_manual_outcome',
  'stop_payments',
  'lift_stop',
  'read_runs',
  /** All fields of a row: names of beneficiaries, bank details, references. */
  'read_instructions',
  'read_audit',
  'manage_users',
  'confirm_change',
  'object_to_change',
  'erase_remark',
  /** States and references of onboarding cases, without personal data. */
  'read_cases',
  /** What applicants gave, and what the provider wrote about it. */
  'read_applicants',
  'onboard',
  'confirm_case',
  'erase_case',
  /** What a run has of its payees. */
  'erase_run',
  /** To place orders to convert, and to say what became of one. */
  'convert',
  /** To approve and to reject orders of others. */
  'decide_conversion',
  /** To say what a receipt is that nothing explains. */
  'assign_receipt',
  /** To ask for a virtual account, and to propose what became of the request. */
  'request_virtual_account',
  'confirm_virtual_account',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions to see personal data, or bank details of others: the audit trail says who has used one, and for what. */
export const PERSONAL_READS = ['read_instructions', 'read_applicants'] as const satisfies readonly Permission[];
export type PersonalRead = (typeof PERSONAL_READS)[number];

const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  maker: [
    'submit_run',
    'edit_beneficiaries',
    'propose_manual_outcome',
    'stop_payments',
    'lift_stop',
    'read_runs',
    'read_instructions',
  ],
  checker: [
    'edit_beneficiaries',
    'decide_run',
    'propose_manual_outcome',
    'stop_payments',
    'lift_stop',
    'read_runs',
    'read_instructions',
    'read_audit',
    'object_to_change',
    'read_cases',
    'confirm_case',
    'decide_conversion',
    'confirm_virtual_account',
  ],
  treasurer: [
    'read_runs',
    'read_instructions',
    'convert',
    'decide_conversion',
    'assign_receipt',
    'request_virtual_account',
    'confirm_virtual_account',
  ],
  onboarder: ['read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case'],
  viewer: ['read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants'],
  /** Runs, decisions, the audit trail and the books: no personal data. */
  auditor: ['read_runs', 'read_audit', 'read_cases'],
  administrator: [
    'stop_payments',
    'read_runs',
    'read_audit',
    'manage_users',
    'confirm_change',
    'object_to_change',
    'erase_remark',
    'read_cases',
    'erase_case',
    'erase_run',
  ],
};

/** Roles that decide on something, or on who decides. Removing one takes two administrators. */
const DECIDING_ROLES: readonly Role[] = ['checker', 'treasurer', 'onboarder', 'administrator'];

export function roleMay(role: Role, permission: Permission): boolean {
  return PERMISSIONS_OF[role].includes(permission);
}

/** The roles that have a permission. */
export function rolesThatMay(permission: Permission): Role[] {
  return ROLES.filter((role) => roleMay(role, permission));
}

export function mayAny(roles: readonly Role[], permission: Permission): boolean {
  return roles.some((role) => roleMay(role, permission));
}

export function isDecidingRole(role: Role): boolean {
  return DECIDING_ROLES.includes(role);
}

/** Whether granting a role takes two administrators: it decides on something, or reads personal data or instructions. */
export function isGrantedByTwo(role: Role): boolean {
  return isDecidingRole(role) || PERSONAL_READS.some((permission) => roleMay(role, permission));
}

/** The user or program behind a request. The id is opaque, so that histories and audit entries may contain it. */
export interface Actor {
  userId: string;
  roles: readonly Role[];
}
