import { scheduleSchema, type Schedule } from '../../domain/treasury/schedule.ts';

/** Every weekday at 14:00 in Berlin. */
const TIMING = {
  name: 'Euros for suppliers',
  account: 'default',
  time_zone: 'Europe/Berlin',
  times: ['14:00'],
  on: { every: 'day' },
  convention: 'skip',
  from: '2026-01-01',
};

const PAIR = { ...TIMING, sell: 'USD', buy: 'EUR', max_order: '12000.00' };

/** As files have them: EUR for USD. */
export const FIXED_AMOUNT = { ...PAIR, kind: 'fixed_amount', fixed_side: 'sell', amount: '10000.00' };
export const SWEEP = { ...PAIR, kind: 'sweep', floor: '50000.00' };
export const TOP_UP = { ...PAIR, kind: 'top_up', level: '20000.00' };
export const FUND_RUN = {
  ...TIMING,
  kind: 'fund_run',
  horizon_days: 5,
  margin_percent: '0.5',
  floors: { EUR: '10000.00', USD: '50000.00' },
  buy: ['EUR'],
  sources: [
    { currency: 'JPY', min_order: '1000000', max_order: '50000000' },
    { currency: 'USD', min_order: '1000.00', max_order: '500000.00' },
  ],
};

export function aSchedule(file: object = FIXED_AMOUNT, differences: object = {}): Schedule {
  return scheduleSchema.parse({ ...file, ...differences });
}
