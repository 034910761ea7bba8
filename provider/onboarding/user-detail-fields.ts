import { z } from 'zod';
import {
  EMPLOYMENT_INDUSTRIES,
  EMPLOYMENT_POSITIONS,
  EMPLOYMENT_STATUSES,
  GENDERS,
  IDENTIFICATION_TYPES,
  TITLES,
} from '../../domain/onboarding/choices.ts';
import { type DayFormat, optionalCalendarDay, calendarDay } from '../calls/calendar-day-fields.ts';
import { countryCode, nonEmptyText } from '../calls/request-fields.ts';
import { optionalText } from '../calls/answer-fields.ts';

/** The fields of a user's details, in requests and answers. Contract: account 2.4, 2.11. */

const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `give one of: ${values.join(', ')}`);

const TEXTS = [
  'firstName',
  'lastName',
  'mobileCountryCode',
  'mobileNumber',
  'formerName',
  'aliasName',
  'countryOfBirth',
  'residentialAddress',
  'state',
  'city',
  'postalCode',
  'identificationNumber',
  'occupation',
  'nameInChineseCharacters',
] as const;

const COUNTRIES = ['nationality', 'countryOfResidence', 'countryCode'] as const;

const DAYS = ['dateOfBirth', 'issueDate', 'expiryDate'] as const;

const CHOICES = {
  title: oneOf(TITLES),
  gender: oneOf(GENDERS),
  identificationType: oneOf(IDENTIFICATION_TYPES),
  employmentIndustry: oneOf(EMPLOYMENT_INDUSTRIES),
  employmentStatus: oneOf(EMPLOYMENT_STATUSES),
  employmentPosition: oneOf(EMPLOYMENT_POSITIONS),
};

function each<const Name extends string, Field extends z.ZodType>(
  names: readonly Name[],
  field: Field,
): Record<Name, Field> {
  return Object.fromEntries(names.map((name) => [name, field])) as Record<Name, Field>;
}

/** An absent field is unchanged, null removes it. Days are given as YYYY-MM-DD. */
export function userDetailsRequest(dayFormat: DayFormat) {
  return z
    .strictObject({
      ...each(TEXTS, nonEmptyText.nullable().optional()),
      ...each(COUNTRIES, countryCode.nullable().optional()),
      ...each(DAYS, calendarDay(dayFormat).nullable().optional()),
      title: CHOICES.title.nullable().optional(),
      gender: CHOICES.gender.nullable().optional(),
      identificationType: CHOICES.identificationType.nullable().optional(),
      employmentIndustry: CHOICES.employmentIndustry.nullable().optional(),
      employmentStatus: CHOICES.employmentStatus.nullable().optional(),
      employmentPosition: CHOICES.employmentPosition.nullable().optional(),
    })
    .refine(
      (details) => Object.values<unknown>(details).some((value) => value !== undefined),
      'give at least one field',
    );
}
export type UserDetailsChange = z.input<ReturnType<typeof userDetailsRequest>>;

/** How complete the details are. `missingFields` is null if the provider does not list them. */
interface DetailsStatus {
  value: string | null;
  missingFields: string[] | null;
}

/** In the contract an object by its sample, a text by its description. */
const detailsStatus = z
  .union([
    z.string().transform((value): DetailsStatus => ({ value, missingFields: null })),
    z
      .looseObject({ value: optionalText, missing_fields: z.array(z.string()).nullish() })
      .transform(({ value, missing_fields: missing }): DetailsStatus => ({ value, missingFields: missing ?? null })),
  ])
  .nullish()
  .transform((status) => status ?? null);

export const userDetailsAnswer = z.looseObject({
  ...each(TEXTS, optionalText),
  ...each(COUNTRIES, optionalText),
  ...each(DAYS, optionalCalendarDay),
  title: optionalText,
  gender: optionalText,
  identificationType: optionalText,
  employmentIndustry: optionalText,
  employmentStatus: optionalText,
  employmentPosition: optionalText,
  status: detailsStatus,
});
export type UserDetails = z.output<typeof userDetailsAnswer>;

/**
 * The fields that the provider still requires before a screening, or null if it does not list them. Only
 * identifications with an expiry date, as passports, require it.
 */
export function missingScreeningFields(details: UserDetails): string[] | null {
  const missing = details.status?.missingFields ?? null;
  const hasExpiry = details.identificationType === null || details.identificationType === 'passport';
  return missing?.filter((field) => field !== 'expiryDate' || hasExpiry) ?? null;
}
