import type { AccountCash, CashQuery } from '../../api/treasury/cash.ts';
import type {
  NextOccurrences,
  ScheduleDefinition,
  ScheduleDetail,
  ScheduleSummary,
  StartedOccurrence,
} from '../../api/treasury/schedule.ts';
import { orNotFound } from '../../application/application-error.ts';
import type { DecidedVersion, ScheduleOutcome } from '../../application/treasury/manage-schedules.ts';
import type { SchedulesApplication } from '../../application/treasury/schedule-use-cases.ts';
import type { SignedIn } from '../../application/users/signed-in.ts';
import { FakeReconciliation } from './fake-reconciliation.ts';

export const SCHEDULE = '018f2a00-0000-7000-8000-0000000000d1';
const NOW = '2026-01-05T09:00:00.000Z';
const DEFINITION: ScheduleDefinition = {
  ...{ kind: 'sweep', name: 'Sweep', account: 'default', sell: 'USD', buy: 'EUR', floor: '50000.00' },
  ...{ min_order: null, max_order: '12000.00', max_cost_bps: null, limit_price: null, times: ['14:00'] },
  ...{ time_zone: 'Europe/Berlin', on: { every: 'day' }, convention: 'skip', from: '2026-01-01', until: null },
};

export function aScheduleSummary(parts: Partial<ScheduleSummary> = {}): ScheduleSummary {
  const treasurer = { userId: '018f2a00-0000-7000-8000-0000000000a1', name: 'Tina Treasurer' };
  const version = { schedule: DEFINITION, definitionHash: 'c'.repeat(64), proposedBy: treasurer, proposedAt: NOW };
  return {
    ...{ scheduleId: SCHEDULE, account: 'default', name: 'Sweep', state: 'active', stateReason: null, stateText: null },
    ...{ stateChangedBy: treasurer, stateChangedAt: NOW, addedAt: NOW, proposed: null },
    inForce: { ...version, version: 1, decidedBy: treasurer, decidedAt: NOW, comment: null },
    ...parts,
  };
}

/** Schedules over plain memory. */
export class FakeSchedules extends FakeReconciliation implements SchedulesApplication {
  schedules: ScheduleSummary[] = [];
  scheduleOutcome: ScheduleOutcome = { kind: 'accepted', scheduleId: SCHEDULE, version: 1, warnings: [] };
  occurrences: ScheduleDetail['occurrences'] = [];
  next: NextOccurrences = {
    occurrences: [{ at: NOW, localDate: '2026-01-05', slot: 1, movedFrom: ['2026-01-03'] }],
    today: { conversions: [], reason: 'nothing_to_convert', message: 'The balance has reached its level.' },
    calendarVersion: 1,
  };
  cash: AccountCash[] = [];

  async addSchedule(user: SignedIn, schedule: unknown, dryRun: boolean): Promise<ScheduleOutcome> {
    await this.asked('addSchedule', user, { schedule, dryRun });
    return this.scheduleOutcome;
  }

  async editSchedule(user: SignedIn, scheduleId: string, schedule: unknown, dryRun: boolean): Promise<ScheduleOutcome> {
    await this.asked('editSchedule', user, { scheduleId, schedule, dryRun });
    return this.scheduleOutcome;
  }

  async listSchedules(user: SignedIn, account: string | null): Promise<ScheduleSummary[]> {
    await this.asked('listSchedules', user, { account });
    return this.schedules;
  }

  async findSchedule(scheduleId: string): Promise<ScheduleDetail | null> {
    await this.meet('findSchedule');
    const schedule = this.schedules.find((one) => one.scheduleId === scheduleId);
    return schedule === undefined ? null : { schedule, occurrences: this.occurrences };
  }

  decideSchedule(user: SignedIn, scheduleId: string, decided: DecidedVersion): Promise<ScheduleSummary> {
    return this.#moved('decideSchedule', user, scheduleId, decided);
  }

  pauseSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary> {
    return this.#moved('pauseSchedule', user, scheduleId, { reason });
  }

  resumeSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary> {
    return this.#moved('resumeSchedule', user, scheduleId, { reason });
  }

  deleteSchedule(user: SignedIn, scheduleId: string, reason: string | null): Promise<ScheduleSummary> {
    return this.#moved('deleteSchedule', user, scheduleId, { reason });
  }

  async triggerSchedule(user: SignedIn, scheduleId: string, key: string): Promise<StartedOccurrence> {
    await this.asked('triggerSchedule', user, { scheduleId, key });
    return { occurrenceId: SCHEDULE, isNew: true, needsApproval: false };
  }

  async backfillSchedule(user: SignedIn, scheduleId: string, missed: object): Promise<StartedOccurrence> {
    await this.asked('backfillSchedule', user, { scheduleId, ...missed });
    return { occurrenceId: SCHEDULE, isNew: true, needsApproval: true };
  }

  async nextOccurrences(): Promise<NextOccurrences> {
    await this.meet('nextOccurrences');
    return this.next;
  }

  async viewCash(user: SignedIn, query: CashQuery): Promise<AccountCash[]> {
    await this.asked('viewCash', user, query);
    return this.cash;
  }

  async #moved(
    method: keyof SchedulesApplication,
    user: SignedIn,
    scheduleId: string,
    asked: object,
  ): Promise<ScheduleSummary> {
    await this.asked(method, user, { scheduleId, ...asked });
    return orNotFound(await this.findSchedule(scheduleId), 'there is no such schedule').schedule;
  }
}
