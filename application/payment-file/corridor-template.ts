import { stringify } from 'csv-stringify/sync';
import type { CorridorTemplateQuery } from '../../api/payment-file/corridor-template.ts';
import { corridorTemplate } from '../../domain/payment-file/corridor-template.ts';
import { corridorKey, type ReferenceData } from '../../domain/payment-file/reference-data.ts';
import type { ApplicationDependencies } from '../application-dependencies.ts';
import { ApplicationError } from '../application-error.ts';
import { accountOf } from '../runs/account-of-submission.ts';
import type { SignedIn } from '../users/signed-in.ts';
import { knownReferenceData } from './known-reference-data.ts';

/** A payment file as CSV with the columns that a corridor needs, and an example row. Throws `invalid_input` for what the provider does not pay. */
export async function writeCorridorTemplate(
  dependencies: ApplicationDependencies,
  user: SignedIn,
  { account, to, from, country }: CorridorTemplateQuery,
): Promise<string> {
  const name = await accountOf(dependencies, user, account ?? null);
  // The provider is asked about no corridor of a currency that it does not have.
  const sellCurrency = sellCurrencyFor(to, from, await knownReferenceData(dependencies, name, []));
  const where = country ?? countryOf(to);
  const corridor = { currency: to, bankAccountCountry: where, beneficiaryCountry: where };
  const template = corridorTemplate(corridor, sellCurrency, await knownReferenceData(dependencies, name, [corridor]));
  if (template === null) throw refused(`the provider does not pay ${corridorKey(corridor)}: give another country`);
  const { columns, example } = template;
  return stringify([columns, columns.map((column) => example[column] ?? '')], { record_delimiter: 'windows' });
}

function sellCurrencyFor(to: string, from: string | undefined, { currencies, pairs }: ReferenceData): string {
  if (!currencies.has(to)) throw refused(`the provider does not pay ${to}`);
  const sold = [...currencies.keys()].filter((code) => code === to || pairs.has(to + code));
  const chosen = from ?? sold.find((code) => code === 'USD') ?? to;
  if (!sold.includes(chosen)) throw refused(`the provider does not sell ${chosen} for ${to}: give another currency`);
  return chosen;
}

/** Most currencies begin with the country that they are of; EUR is of many, and those in X of none. */
function countryOf(currency: string): string {
  if (currency === 'EUR' || currency.startsWith('X')) throw refused(`give the country too: ${currency} is of several`);
  return currency.slice(0, 2);
}

function refused(message: string): ApplicationError {
  return new ApplicationError('invalid_input', message);
}
