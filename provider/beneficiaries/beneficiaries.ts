import { z } from 'zod';
import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { type Beneficiary, beneficiaryAnswer, beneficiarySent, type NewBeneficiary } from './beneficiary-fields.ts';
import { checked } from '../calls/invalid-request.ts';
import { countryCode, currencyCode, pathId } from '../calls/sent-fields.ts';
import { requiredText } from '../calls/wire-fields.ts';

const requirementsRequest = z.strictObject({
  currency: currencyCode,
  bankAccountCountry: countryCode,
  beneficiaryCountry: countryCode,
});
type RequirementsRequest = z.input<typeof requirementsRequest>;

/** Field name to pattern, for those fields that are needed. `entityType` may be the plain word or a pattern for it. */
interface BeneficiaryRequirements {
  entityType: string;
  fields: Record<string, string>;
  bankAccount: Record<string, string>;
}

/** A number of any length, which is text by the time it comes here. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** What is no text, in place of a pattern, asks for nothing that could be checked. */
function patternsIn(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'string' && !NUMBER.test(value) ? [[name, value]] : [],
    ),
  );
}

const requirementsAnswer = z
  .looseObject({ entityType: requiredText, bankAccount: z.record(z.string(), z.unknown()).nullish() })
  .transform(
    ({ entityType, bankAccount, ...fields }): BeneficiaryRequirements => ({
      entityType,
      fields: patternsIn(fields),
      bankAccount: patternsIn(bankAccount ?? {}),
    }),
  );

/** Contract: payments 2.1, 4.1. All five throw `ProviderFailure`, and `InvalidRequest` before anything is sent. */
export interface BeneficiaryCalls {
  /** Which fields a beneficiary needs, one entry for each entity type. Patterns are of no documented flavour. */
  requirements(request: RequirementsRequest, options?: CallOptions): Promise<BeneficiaryRequirements[]>;
  /** Has no identity of ours: after an unknown outcome, find it before creating it again. */
  create(beneficiary: NewBeneficiary, options?: CallOptions): Promise<Beneficiary>;
  item(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary>;
  /** The beneficiary that was deleted, or null when the answer does not show it. */
  remove(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary | null>;
  /** All of the current user; a filter is not documented, what is given is passed on. */
  find(filter?: Record<string, unknown>, options?: CallOptions): Promise<Beneficiary[]>;
}

export function createBeneficiaryCalls(api: AuthorisedCaller): BeneficiaryCalls {
  const itemPath = (id: string): string => `/beneficiaries/v1/item/${encodeURIComponent(id)}`;
  return {
    requirements: async (request, options) =>
      api.call(
        {
          operation: 'beneficiary-requirements',
          method: 'POST',
          path: '/beneficiaries/v1/requirements',
          body: checked('beneficiary-requirements', requirementsRequest, request),
          answer: listOf(requirementsAnswer),
        },
        options,
      ),
    create: async (beneficiary, options) =>
      api.call(
        {
          operation: 'beneficiary-create',
          method: 'POST',
          path: '/beneficiaries/v1/create',
          body: checked('beneficiary-create', beneficiarySent, beneficiary),
          answer: recordOf(beneficiaryAnswer),
        },
        options,
      ),
    item: async (id, options) => {
      const path = itemPath(checked('beneficiary-get', pathId, id));
      const answer = recordOf(beneficiaryAnswer);
      return api.call({ operation: 'beneficiary-get', method: 'GET', path, answer }, options);
    },
    remove: async (id, options) => {
      const path = itemPath(checked('beneficiary-delete', pathId, id));
      const answer = recordOf(beneficiaryAnswer.nullable().catch(null));
      return api.call({ operation: 'beneficiary-delete', method: 'DELETE', path, answer }, options);
    },
    find: async (filter = {}, options) =>
      api.call(
        {
          operation: 'beneficiary-find',
          method: 'POST',
          path: '/beneficiaries/v1/find',
          body: filter,
          answer: listOf(beneficiaryAnswer),
        },
        options,
      ),
  };
}
