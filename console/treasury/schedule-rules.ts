import type { ScheduleSummary } from '../../api/treasury/schedule.ts';
import type { Session } from '../../api/users/session.ts';
import { kindOf } from './schedule-words.ts';

export type ScheduleAction = 'confirm' | 'reject' | 'edit' | 'trigger' | 'makeUp' | 'pause' | 'resume' | 'delete';

/** What the server accepts from this user now, by the rules of its functions: an action that it refuses is not shown. */
export function allowedOn(schedule: ScheduleSummary, { user, permissions }: Session): ReadonlySet<ScheduleAction> {
  const { state, inForce, proposed } = schedule;
  const mayConvert = permissions.includes('convert') && state !== 'deleted';
  const mayDecide = permissions.includes('decide_conversion') && state !== 'deleted';
  const isStartable = mayConvert && state === 'active' && inForce !== null;
  const rules: Record<ScheduleAction, boolean> = {
    confirm: mayDecide && proposed !== null && proposed.proposedBy.userId !== user.userId,
    reject: mayDecide && proposed !== null,
    edit: mayConvert,
    trigger: isStartable,
    makeUp: isStartable && kindOf(inForce.schedule) === 'fixed_amount',
    pause: mayDecide && state === 'active',
    resume: mayConvert && state === 'paused',
    delete: mayConvert,
  };
  return new Set((Object.keys(rules) as ScheduleAction[]).filter((action) => rules[action]));
}
