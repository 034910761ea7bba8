import type { PayrunClient, ScheduleSummary } from '../../sdk/index.ts';
import { WrongInput } from '../exit-code.ts';
import { printable } from '../printable.ts';

/** By name, or by id. */
export async function scheduleOf(client: PayrunClient, name: string): Promise<ScheduleSummary> {
  const { schedules } = await client.listSchedules();
  const found = schedules.filter((one) => one.name === name || one.scheduleId === name);
  const [schedule, second] = found;
  if (second !== undefined) {
    throw new WrongInput(`several accounts have a schedule ${printable(name)}: give its id, from the list`);
  }
  if (schedule === undefined) {
    throw new WrongInput(`there is no schedule ${printable(name)}: see 'payrun treasury schedule list'`);
  }
  return schedule;
}
