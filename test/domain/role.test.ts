import { describe, expect, test } from 'vitest';
import { PERMISSIONS, ROLES, roleMay } from '../../domain/role.ts';

describe('a role', () => {
  test.each([
    ['maker', ['submit_run', 'propose_resolution', 'read_runs']],
    ['checker', ['decide_run', 'propose_resolution', 'read_runs']],
    ['viewer', ['read_runs']],
    ['administrator', ['submit_run', 'decide_run', 'propose_resolution', 'read_runs', 'manage_tokens']],
  ] as const)('%s may do this and nothing else', (role, permissions) => {
    expect(PERMISSIONS.filter((permission) => roleMay(role, permission))).toEqual(permissions);
  });

  test('below the administrator never both submits and decides', () => {
    const both = ROLES.filter((role) => roleMay(role, 'submit_run') && roleMay(role, 'decide_run'));
    expect(both).toEqual(['administrator']);
  });
});
