import { z } from 'zod';
import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { optionalCalendarDay, sentCalendarDay } from '../calls/calendar-days.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { countryCode, pathId, sentText } from '../calls/sent-fields.ts';
import type { UserStatus } from '../payments/payment-statuses.ts';
import { optionalText } from '../calls/wire-fields.ts';

/** Not the industries of a person's employment, some of which differ by a letter. Contract: account 2.11. */
export const BUSINESS_TYPES = [
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

/** All nine are needed in every update. The day is given as YYYY-MM-DD and sent in the only form shown for it. */
const companySent = z.strictObject({
  countryOfIncorporation: countryCode,
  countryOfOperations: countryCode,
  businessType: z.enum(BUSINESS_TYPES, `give one of: ${BUSINESS_TYPES.join(', ')}`),
  companyAddress: sentText,
  postalCode: sentText,
  state: sentText,
  city: sentText,
  registrationNumber: sentText,
  incorporationDate: sentCalendarDay('DD-MM-YYYY'),
});
export type CompanyUpdate = z.input<typeof companySent>;

const companyAnswer = z.looseObject({
  accountId: optionalText,
  companyName: optionalText,
  countryOfIncorporation: optionalText,
  countryOfOperations: optionalText,
  businessType: optionalText,
  companyAddress: optionalText,
  postalCode: optionalText,
  state: optionalText,
  city: optionalText,
  registrationNumber: optionalText,
  incorporationDate: optionalCalendarDay,
});
type Company = z.output<typeof companyAnswer>;

/**
 * Contract: account 2.5, 4.3. Both throw `ProviderFailure`, and `InvalidRequest` before anything is sent. Both take
 * the user's `accountId`, not the user's id.
 */
export interface CompanyCalls {
  get(accountId: string, options?: CallOptions): Promise<Company>;
  /** Replaces all nine fields; refused unless `companyMayChange`. May be repeated. */
  update(accountId: string, company: CompanyUpdate, options?: CallOptions): Promise<Company>;
}

/** Whether a company can still be updated: once its screening was asked for, it cannot. Contract: account 3. */
export function companyMayChange(status: UserStatus): boolean {
  return status === 'pending_phone' || status === 'pending_docs';
}

export function createCompanyCalls(api: AuthorisedCaller): CompanyCalls {
  const answer = recordOf(companyAnswer);
  return {
    get: async (accountId, options) => {
      const path = companyPath('company-get', accountId);
      return api.call({ operation: 'company-get', method: 'GET', path, answer }, options);
    },
    update: async (accountId, company, options) => {
      const path = companyPath('company-patch', accountId);
      const body = checked('company-patch', companySent, company);
      return api.call({ operation: 'company-patch', method: 'PATCH', path, body, answer }, options);
    },
  };
}

function companyPath(operation: Operation, accountId: string): string {
  return `/v2/company/${encodeURIComponent(checked(operation, pathId, accountId))}`;
}
