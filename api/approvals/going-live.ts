import { z } from 'zod';
import { GOING_LIVE_STATES } from '../../domain/approvals/going-live.ts';
import { json } from '../answers.ts';
import { endpoints } from '../endpoint.ts';
import { instant } from '../fields.ts';
import { changeStateSchema } from './change.ts';

export type { GoingLive } from '../../domain/approvals/going-live.ts';

const goingLiveSchema = z
  .object({
    state: z
      .enum(GOING_LIVE_STATES)
      .describe(
        'With a real provider nothing is approved before it is `live`. `no_provider`: no worker has recorded one yet.',
      ),
    changeId: z.string().nullable().describe('The change by which two administrators go live; null: none is proposed.'),
    proposedBy: z.string().nullable().describe('The name of an administrator.'),
    confirmedBy: z.string().nullable().describe('The name of another one.'),
    since: instant.nullable(),
  })
  .meta({ id: 'GoingLive' });

/** The step by two before anything is approved on a real provider. */
export const goingLiveEndpoints = endpoints({
  getGoingLive: {
    method: 'GET',
    path: '/going-live',
    access: 'read_runs',
    limitedBy: 'nothing',
    tag: 'users',
    summary: 'Whether payrun is live, and who has gone live or wants to',
    answers: { 200: json('How it stands.', goingLiveSchema) },
  },
  goLive: {
    method: 'POST',
    path: '/going-live',
    access: 'manage_users',
    limitedBy: 'all_accounts',
    tag: 'users',
    summary: 'Propose to go live with a real provider',
    description:
      'Nothing is approved there before another administrator has confirmed it. That ends all by which anybody but the two could sign in.',
    answers: { 200: json('What became of the change.', changeStateSchema) },
    errors: [409],
  },
});
