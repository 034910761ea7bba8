import { z } from 'zod';
import { type Company, companyFields } from '../account/user.ts';
import type { ResolvedOptions } from '../config/resolved-options.ts';
import { operation } from '../http/operation.ts';
import { exactNumberIn, type Json, RawJson } from '../core/json.ts';
import { id, listedCountry, shortText } from './field-types.ts';
import { dayFirstDate } from './date-formats.ts';

const businessTypes = [
  'Accounting/Audit/Consulting',
  'Agriculture',
  'Antiques & Artpiece',
  'Banking/Financial/Insurance',
  'Construction & Development',
  'Education',
  'Engineering',
  'Entertainment & Recreation',
  'Food & Beverages',
  'Forestry & Logging',
  'Government Bodies',
  'Hotel & Lodging',
  'Information Technology',
  'Legal & Judiciary',
  'Logistics',
  'Manufacturing',
  'Media & Communications',
  'Medical & Healthcare',
  'Mining & Quarrying',
  'Money Lending',
  'Non-Profit Organisation',
  'Oil & Gas',
  'Pawnshop',
  'Professional Services Firm',
  'Real Estate',
  'Trading/Retail/Wholesale',
  'Transportation',
  'Utilities',
  'Travel/Tourism',
  'Unknown - Unknown',
  'Others',
] as const;

/** Text, or a number, as some callers send it. */
const postalCode = z
  .union(
    [shortText, exactNumberIn({ type: 'integer', minimum: 0 }).transform((number) => number.toFixed())],
    'must be text or a number',
  )
  .meta({
    anyOf: [
      { type: 'string', minLength: 1, maxLength: 255 },
      { type: 'integer', minimum: 0, maximum: 1e15 },
    ],
  });

/** All nine fields are required, although the method is PATCH. Contract: account 2.5. */
const companyBody = z.object({
  countryOfIncorporation: listedCountry,
  countryOfOperations: listedCountry,
  businessType: z.enum(businessTypes),
  companyAddress: shortText,
  postalCode,
  state: shortText,
  city: shortText,
  registrationNumber: shortText,
  incorporationDate: dayFirstDate,
});

const companySchema = z.object({
  accountId: id,
  companyName: z.string().nullable(),
  ...Object.fromEntries(companyFields.map((field) => [field, z.string().nullable()])),
  postalCode: z.union([z.string(), z.number()]).nullable(),
});

const accountParams = z.object({ accountId: z.string() });

function companyAnswer(accountId: string, { name, details }: Company, options: ResolvedOptions): Json {
  const postalCode = details?.postalCode ?? null;
  const asNumber =
    options.companyPostalCode === 'number' && postalCode !== null && /^(0|[1-9]\d{0,14})$/.test(postalCode);
  return {
    accountId,
    companyName: name,
    ...Object.fromEntries(companyFields.map((field) => [field, details?.[field] ?? null])),
    postalCode: asNumber ? new RawJson(postalCode) : postalCode,
  };
}

/** Contract: account 4.3. */
export const companies = [
  operation({
    ids: ['company-get'],
    method: 'GET',
    path: '/v2/company/:accountId',
    summary: 'The company of an account',
    params: accountParams,
    answer: companySchema,
    perform: ({ world, account, params: { accountId } }) => {
      const { user, company } = account.users.companyOf(accountId);
      const details = account.users.viewOf(user).companyDetails;
      return companyAnswer(accountId, { ...company, details }, world.options);
    },
  }),
  operation({
    ids: ['company-patch'],
    method: 'PATCH',
    path: '/v2/company/:accountId',
    summary: 'Sets all fields of a company, before the screening',
    params: accountParams,
    body: companyBody,
    answer: companySchema,
    refusals: [409],
    perform: ({ world, account, params: { accountId }, body }) =>
      companyAnswer(accountId, account.users.updateCompany(accountId, body), world.options),
  }),
];
