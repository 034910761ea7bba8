import { z } from 'zod';
import { detailFields, type UserDetails } from '../account/user.ts';
import type { SandboxOptions } from '../config/options.ts';
import { listedCountry, shortText } from './field-types.ts';
import { userDates } from './date-formats.ts';

const industries = [
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

const employmentStatuses = ['Employed', 'Unemployed', 'Student', 'Self-Employed'] as const;
const positions = ['Entry Level', 'Mid-Level/Supervisory/Management', 'Senior Level/Executive', 'Owner'] as const;

const texts = Object.fromEntries(detailFields.map((field) => [field, shortText.nullish()]));

const detailsBody = z.object({
  ...texts,
  title: z.enum(['Mr', 'Mrs', 'Miss', 'Ms', 'Dr']).nullish(),
  mobileCountryCode: z
    .string()
    .regex(/^[+]?[0-9]{1,4}(-[0-9]{1,4})?$/, 'must be a dialling code, e.g. +65')
    .nullish(),
  gender: z.enum(['male', 'female']).nullish(),
  nationality: listedCountry.nullish(),
  countryOfResidence: listedCountry.nullish(),
  countryCode: listedCountry.nullish(),
  identificationType: z.enum(['passport', 'nric']).nullish(),
  employmentIndustry: z.enum(industries).nullish(),
  employmentStatus: z.enum(employmentStatuses).nullish(),
  employmentPosition: z.enum(positions).nullish(),
  status: z.never('is read-only').optional(),
});

/**
 * The changes of a user's details; null removes a detail, and omitted details are unchanged. Format A applies to the
 * date of birth only. Contract: account 2.4.
 */
export function detailsBodyOf({ userDateFormat }: SandboxOptions): z.ZodType<UserDetails & { status?: undefined }> {
  const date = userDates[userDateFormat].nullish();
  const otherDate = userDateFormat === 'YYYY-MM-DD' ? shortText.nullish() : date;
  return detailsBody.extend({
    dateOfBirth: date,
    issueDate: otherDate,
    expiryDate: otherDate,
  });
}

/** The details in answers. */
export const detailsSchema = z.object({
  ...Object.fromEntries(detailFields.map((field) => [field, z.string().nullable()])),
  status: z.union([
    z.object({ value: z.enum(['complete', 'incomplete']), missing_fields: z.array(z.enum(detailFields)) }),
    z.enum(['complete', 'incomplete']),
  ]),
});
