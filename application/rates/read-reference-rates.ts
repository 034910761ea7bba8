import { addDays } from '../../domain/calendar-date.ts';
import type { ReferenceRates } from '../../domain/rates/reference-rates.ts';
import { keepReferenceRates, listReferenceRates } from '../../store/rates/reference-rates.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';

/** Over a long weekend the rates of Thursday are still the newest. */
const RATES_BEFORE_DAYS = 7;

/** Keeps the rates of the configured file, so that the functions of the database know them. */
export async function keepConfiguredRates({
  database,
  settings,
}: Pick<ApplicationDependencies, 'database' | 'settings'>): Promise<void> {
  const configured = (await settings.referenceRates?.()) ?? null;
  if (configured !== null) await keepReferenceRates(database, configured);
}

/** The rates that days from `from` to `to` are compared with, the newest first. Those of the configured file are kept before. */
export async function readReferenceRates(
  { database, settings }: Pick<ApplicationDependencies, 'database' | 'settings'>,
  from: string,
  to: string,
): Promise<ReferenceRates[]> {
  await keepConfiguredRates({ database, settings });
  return listReferenceRates(database, addDays(from, -RATES_BEFORE_DAYS), to);
}
