import { z } from 'zod';
import { BUSINESS_TYPES } from '../../domain/onboarding/choices.ts';
import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { optionalCalendarDay, calendarDay } from '../calls/calendar-day-fields.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { countryCode, pathId, nonEmptyText } from '../calls/request-fields.ts';
import type { UserStatus } from '../statuses.ts';
import { optionalText } from '../calls/answer-fields.ts';

/**
 * All nine fields are required in every update. The day is given as YYYY-MM-DD and sent in its only documented format.
 */
const companyRequest = z.strictObject({
  countryOfIncorporation: countryCode,
  countryOfOperations: countryCode,
  businessType: z.enum(BUSINESS_TYPES, `give one of: ${BUSINESS_TYPES.join(', ')}`),
  companyAddress: nonEmptyText,
  postalCode: nonEmptyText,
  state: nonEmptyText,
  city: nonEmptyText,
  registrationNumber: nonEmptyText,
  incorporationDate: calendarDay('DD-MM-YYYY'),
});
export type CompanyUpdate = z.input<typeof companyRequest>;

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
  /** Replaces all nine fields; the provider refuses it unless `canUpdateCompany`. Idempotent. */
  update(accountId: string, company: CompanyUpdate, options?: CallOptions): Promise<Company>;
}

/** A company can be updated until its screening is requested. Contract: account 3. */
export function canUpdateCompany(status: UserStatus): boolean {
  return status === 'pending_phone' || status === 'pending_docs';
}

export function createCompanyCalls(api: AuthorizedCaller): CompanyCalls {
  const answer = recordOf(companyAnswer);
  return {
    get: async (accountId, options) => {
      const path = companyPath('company-get', accountId);
      return api.call({ operation: 'company-get', method: 'GET', path, answer }, options);
    },
    update: async (accountId, company, options) => {
      const path = companyPath('company-patch', accountId);
      const body = checked('company-patch', companyRequest, company);
      return api.call({ operation: 'company-patch', method: 'PATCH', path, body, answer }, options);
    },
  };
}

function companyPath(operation: Operation, accountId: string): string {
  return `/v2/company/${encodeURIComponent(checked(operation, pathId, accountId))}`;
}
