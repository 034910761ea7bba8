import { z } from 'zod';
import { GOING_LIVE_STATES } from '../../domain/approvals/going-live.ts';
import { instant } from '../fields.ts';

export type { GoingLive } from '../../domain/approvals/going-live.ts';

export const goingLiveSchema = z
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
