import { z } from 'zod';
import { detailFields, type UserDetails } from '../account/user.ts';
import { beneficiaryCountries } from '../corridors/countries.ts';

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

/** A country of the country list. */
export const listedCountry = z
  .string()
  .refine((code) => beneficiaryCountries.has(code), 'must be a two-letter code of the country list, e.g. SG');

const text = z.string().min(1).max(255).nullish();

const texts = Object.fromEntries(detailFields.map((field) => [field, text]));

/** What a user's details can be changed to; null removes one, and what is left out stays. Contract: account 2.4. */
export const detailsBody: z.ZodType<UserDetails & { status?: undefined }> = z.object({
  ...texts,
  title: z.enum(['Mr', 'Mrs', 'Miss', 'Ms', 'Dr']).nullish(),
  mobileCountryCode: z
    .string()
    .regex(/^\+?\d{1,4}(-\d{1,4})?$/, 'must be a dialling code, e.g. +65')
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

/** The details as they are answered. */
export const detailsSchema = z.object({
  ...Object.fromEntries(detailFields.map((field) => [field, z.string().nullable()])),
  status: z.object({ value: z.string(), missing_fields: z.array(z.string()) }),
});
