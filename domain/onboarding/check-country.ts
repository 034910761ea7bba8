import { closestName } from '../closest-name.ts';
import { COUNTRY_CODE } from '../payment-file/payment-codes.ts';
import type { ValueIssue } from './applicant-validation.ts';

/** An entry of the provider's country list. Contract: account 2.9. */
export interface OnboardingCountry {
  /** ISO 3166-1 alpha-2. */
  code: string;
  /** With its `+`. */
  diallingCode: string | null;
  name: string | null;
}

/** Null: the list is not known, so that only the form is checked. */
export type CountryList = readonly OnboardingCountry[] | null;

/** Why the text is not a country code that the provider takes, or null. Contract: account 2.9. */
export function countryIssue(name: string, text: string, countries: CountryList): ValueIssue | null {
  if (!COUNTRY_CODE.test(text)) {
    const capitals = text.toUpperCase();
    const byName = countries?.find((country) => country.name?.toUpperCase() === capitals);
    const meant = /^[a-z]{2}$/i.test(text) ? capitals : byName?.code;
    return {
      code: 'country_form',
      problem: `${name} is not a country code of two capitals`,
      fix: meant === undefined ? `write for example SG or GB${nearestCountry(text, countries)}` : `write ${meant}`,
    };
  }
  if (countries === null || countries.some(({ code }) => code === text)) return null;
  return {
    code: 'country_unknown',
    problem: `${name} is not in the provider's list of countries`,
    fix: 'correct the code; the provider does not serve other countries',
  };
}

function nearestCountry(text: string, countries: CountryList): string {
  const names = (countries ?? []).flatMap(({ name }) => name ?? []);
  const nearest = closestName(text, names);
  const country = countries?.find(({ name }) => name !== null && name === nearest);
  return country === undefined ? '' : `; did you mean ${country.code} (${country.name ?? ''})?`;
}

/** Why the text is not a dialling code of a country that the provider takes, or null. Contract: account 2.4, 2.9. */
export function diallingCodeIssue(name: string, text: string, countries: CountryList): ValueIssue | null {
  if (countries?.some(({ diallingCode }) => diallingCode === text)) return null;
  const known = (countries ?? []).map(({ diallingCode }) => diallingCode ?? '').filter((code) => code !== '');
  const digits = text.replace(/\D/g, '').replace(/^00/, '');
  const meant = known.find((code) => code.replace(/\D/g, '') === digits);
  if (meant !== undefined || !/^\+\d{1,7}$/.test(text)) {
    return {
      code: 'dialling_code_form',
      problem: `${name} is not a dialling code with its +`,
      fix: `write ${meant ?? 'for example +65'}; in a CSV, format the column as text`,
    };
  }
  if (known.length === 0) return null;
  return {
    code: 'dialling_code_unknown',
    problem: `${name} is no dialling code of the provider's list of countries`,
    fix: 'write the dialling code alone, for example +65, and the rest of the number in mobile_number',
  };
}
