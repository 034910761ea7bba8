/** What each role may do. A person has one role; the maker of a run never decides on it, whatever their role. */

export const ROLES = ['maker', 'checker', 'viewer', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

export const PERMISSIONS = ['submit_run', 'decide_run', 'propose_resolution', 'read_runs', 'manage_tokens'] as const;
export type Permission = (typeof PERMISSIONS)[number];

const PERMISSIONS_OF: Readonly<Record<Role, readonly Permission[]>> = {
  maker: ['submit_run', 'propose_resolution', 'read_runs'],
  checker: ['decide_run', 'propose_resolution', 'read_runs'],
  viewer: ['read_runs'],
  administrator: ['submit_run', 'decide_run', 'propose_resolution', 'read_runs', 'manage_tokens'],
};

export function roleMay(role: Role, permission: Permission): boolean {
  return PERMISSIONS_OF[role].includes(permission);
}

/** The person or program behind a request: an opaque id, so that it may stand in histories and audit entries. */
export interface Actor {
  userId: string;
  role: Role;
}
