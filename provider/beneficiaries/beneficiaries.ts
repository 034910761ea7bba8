import { z } from 'zod';
import { type CallOptions, listOf, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { type Beneficiary, beneficiaryAnswer, beneficiaryRequest, type NewBeneficiary } from './beneficiary-fields.ts';
import { checked } from '../calls/invalid-request.ts';
import { countryCode, currencyCode, pathId } from '../calls/request-fields.ts';
import { requiredText } from '../calls/answer-fields.ts';

const requirementsRequest = z.strictObject({
  currency: currencyCode,
  bankAccountCountry: countryCode,
  beneficiaryCountry: countryCode,
});
type RequirementsRequest = z.input<typeof requirementsRequest>;

/** The required fields, each with its pattern. `entityType` may be the entity type itself or a pattern for it. */
interface BeneficiaryRequirements {
  entityType: string;
  fields: Record<string, string>;
  bankAccount: Record<string, string>;
}

/** A JSON number, which was read as a string. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** The fields with a pattern: a requirement that is not a text cannot be checked. */
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
  /**
   * The fields that a beneficiary needs, one entry for each entity type. The regular expression dialect is not
   * documented.
   */
  requirements(request: RequirementsRequest, options?: CallOptions): Promise<BeneficiaryRequirements[]>;
  /** Has no reference of ours: after an unknown outcome, find it before creating it again. */
  create(beneficiary: NewBeneficiary, options?: CallOptions): Promise<Beneficiary>;
  item(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary>;
  /** The deleted beneficiary, or null if the answer does not contain it. */
  remove(beneficiaryId: string, options?: CallOptions): Promise<Beneficiary | null>;
  /** All beneficiaries of the current user. No filter is documented; a given one is sent as it is. */
  find(filter?: Record<string, unknown>, options?: CallOptions): Promise<Beneficiary[]>;
}

export function createBeneficiaryCalls(api: AuthorizedCaller): BeneficiaryCalls {
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
          body: checked('beneficiary-create', beneficiaryRequest, beneficiary),
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
