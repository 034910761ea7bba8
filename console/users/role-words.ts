import type { Role } from '../../api/users/user.ts';

/** What each role is for. Nobody decides on what they submitted themselves. */
export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  maker: 'prepares and submits runs',
  checker: 'approves or rejects runs of others, lifts stops, closes differences',
  treasurer: 'places conversions, and decides on those of others',
  onboarder: 'onboards users and companies',
  auditor: 'reads runs, decisions, audit trail and books without personal data',
  viewer: 'reads everything, changes nothing',
  administrator: 'manages users and the policy; has no other role',
};
