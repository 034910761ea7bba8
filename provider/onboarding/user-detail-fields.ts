import { z } from 'zod';
import { type DayForm, optionalCalendarDay, sentCalendarDay } from '../calls/calendar-days.ts';
import { countryCode, sentText } from '../calls/sent-fields.ts';
import { optionalText } from '../calls/wire-fields.ts';

/** Details of a user, as sent and as read. Contract: account 2.4, 2.11. */

const EMPLOYMENT_STATUSES = ['Employed', 'Unemployed', 'Student', 'Self-Employed'] as const;

const EMPLOYMENT_POSITIONS = [
  'Entry Level',
  'Mid-Level/Supervisory/Management',
  'Senior Level/Executive',
  'Owner',
] as const;

/** Not the business types of a company, some of which differ by a letter. */
export const EMPLOYMENT_INDUSTRIES = [
  'Advertising/Media/Communications',
  'Administration/Clerical/Facilities Svc',
  'Agriculture/Manufacturing',
  'Banking/Finance/Insurance',
  'Construction',
  'Government/Civil Servant',
  'Personal Care Services',
  'Domestic Helper/Child Care',
  'Education/Teaching',
  'Hotel/Restaurant',
  'Information Technology',
  'Transportation/Shipping',
  'Military/Law Enforcement',
  'Automotive Repairs and Sales',
  'Medical & Health',
  'Real Estate/Property',
  'Retail/Sales',
  'Tourism/Airlines/Maritime',
  'Arts/Entertainment and Recreation',
  'Mining/Oil and Gas/Energy',
  'Water/Utilities/Waste Management',
  'Science',
] as const;

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
  title: oneOf(['Mr', 'Mrs', 'Miss', 'Ms', 'Dr']),
  gender: oneOf(['male', 'female']),
  identificationType: oneOf(['passport', 'nric']),
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

/** Every field may be left out, which leaves it as it is, or null, which removes it. Days are given as YYYY-MM-DD. */
export function userDetailsSent(form: DayForm) {
  return z
    .strictObject({
      ...each(TEXTS, sentText.nullable().optional()),
      ...each(COUNTRIES, countryCode.nullable().optional()),
      ...each(DAYS, sentCalendarDay(form).nullable().optional()),
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
export type UserDetailsChange = z.input<ReturnType<typeof userDetailsSent>>;

/** How complete the details are. `missingFields` is null when the provider does not list what is missing. */
interface DetailsStatus {
  value: string | null;
  missingFields: string[] | null;
}

/** An object by its sample, a text by its description. */
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
 * Which fields the provider still needs before it screens, or null when it does not say. The end of an identification
 * counts only where it has one, as a passport does.
 */
export function missingForScreening(details: UserDetails): string[] | null {
  const missing = details.status?.missingFields ?? null;
  const endApplies = details.identificationType === null || details.identificationType === 'passport';
  return missing?.filter((field) => field !== 'expiryDate' || endApplies) ?? null;
}
