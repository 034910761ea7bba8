import { describe, expect, test } from 'vitest';
import { isDecidingRole, isGrantedByTwo, mayAny, PERMISSIONS, ROLES, roleMay } from '../../domain/users/role.ts';

describe('a role', () => {
  test.each([
    [
      'maker',
      [
        'submit_run',
        'edit_beneficiaries',
        'propose_manual_outcome',
        'stop_payments',
        'lift_stop',
        'read_runs',
        'read_instructions',
      ],
    ],
    [
      'checker',
      [
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
    ],
    [
      'treasurer',
      [
        'read_runs',
        'read_instructions',
        'convert',
        'decide_conversion',
        'assign_receipt',
        'request_virtual_account',
        'confirm_virtual_account',
      ],
    ],
    ['onboarder', ['read_runs', 'read_cases', 'read_applicants', 'onboard', 'confirm_case']],
    ['viewer', ['read_runs', 'read_instructions', 'read_audit', 'read_cases', 'read_applicants']],
    ['auditor', ['read_runs', 'read_audit', 'read_cases']],
    [
      'administrator',
      [
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
    ],
  ] as const)('%s may do this and nothing else', (role, permissions) => {
    expect(PERMISSIONS.filter((permission) => roleMay(role, permission))).toEqual(permissions);
  });

  test('never both submits and decides, and an administrator does neither', () => {
    expect(ROLES.filter((role) => roleMay(role, 'submit_run') && roleMay(role, 'decide_run'))).toEqual([]);
    expect(mayAny(['administrator'], 'submit_run') || mayAny(['administrator'], 'decide_run')).toBe(false);
  });

  test('that decides on something is granted by two administrators', () => {
    expect(ROLES.filter(isDecidingRole)).toEqual(['checker', 'treasurer', 'onboarder', 'administrator']);
    expect(ROLES.filter((role) => isDecidingRole(role) && !isGrantedByTwo(role))).toEqual([]);
  });

  test('that reads personal data or instructions is granted by two administrators', () => {
    const readers = ROLES.filter((role) => roleMay(role, 'read_instructions') || roleMay(role, 'read_applicants'));
    expect(readers.filter((role) => !isGrantedByTwo(role))).toEqual([]);
    expect(ROLES.filter((role) => !isGrantedByTwo(role))).toEqual(['auditor']);
  });
});
