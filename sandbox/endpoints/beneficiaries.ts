import { z } from 'zod';
import { beneficiaryAnswer } from '../account/beneficiaries.ts';
import { checkBeneficiary, unsupportedCorridor } from '../corridors/check-beneficiary.ts';
import { corridorOf, type EntityType, requirementsAnswer, requirementsOf } from '../corridors/requirements.ts';
import { namesOf } from '../account/beneficiaries.ts';
import { inData, operation, type OperationLink } from '../http/operation.ts';
import { isSanctioned } from '../core/magic-values.ts';
import { notFound, Refusal } from '../core/refusal.ts';
import { withExample } from './field-types.ts';
import { beneficiaryBody, beneficiarySchema, requirementsSchema } from './beneficiary-schemas.ts';

const entityTypes: readonly EntityType[] = ['company', 'individual'];
const itemParams = z.object({ beneficiaryId: z.string() });

const beneficiaryLinks = (beneficiaryId: string): Record<string, OperationLink> => ({
  read: { operationId: 'beneficiary-get', parameters: { beneficiaryId } },
  delete: { operationId: 'beneficiary-delete', parameters: { beneficiaryId } },
  quote: { operationId: 'simple-payment-quote', requestBody: { beneficiaryId } },
});

/** Contract: payments 4.1. */
export const beneficiaries = [
  operation({
    ids: ['beneficiary-requirements'],
    method: 'POST',
    reads: true,
    path: '/beneficiaries/v1/requirements',
    summary: 'The required fields of a beneficiary, as patterns, by entity type',
    body: withExample(
      z.object({
        currency: z.string().min(1),
        bankAccountCountry: z.string().min(1),
        beneficiaryCountry: z.string().min(1),
      }),
      { currency: 'EUR', bankAccountCountry: 'DE', beneficiaryCountry: 'DE' },
    ),
    answer: inData(z.array(requirementsSchema)),
    perform: ({ world, body: { currency, bankAccountCountry, beneficiaryCountry } }) => {
      const corridor = corridorOf(currency, bankAccountCountry, beneficiaryCountry);
      if (!corridor) throw unsupportedCorridor(currency, bankAccountCountry, beneficiaryCountry);
      const { requirementForm } = world.options;
      return {
        data: entityTypes.map((entityType) =>
          requirementsAnswer(requirementsOf(corridor, beneficiaryCountry, entityType), requirementForm),
        ),
      };
    },
  }),
  operation({
    ids: ['beneficiary-create'],
    method: 'POST',
    path: '/beneficiaries/v1/create',
    summary: 'Stores a beneficiary that meets the requirements and whose check digits are valid',
    body: beneficiaryBody,
    answer: inData(beneficiarySchema),
    links: beneficiaryLinks('$response.body#/data/beneficiaryId'),
    perform: ({ account, body }) => {
      checkBeneficiary(body);
      if (isSanctioned(namesOf(body))) {
        throw new Refusal(400, 'compliance_refused', 'the beneficiary is refused after screening');
      }
      return { data: beneficiaryAnswer(account.beneficiaries.add(body)) };
    },
  }),
  operation({
    ids: ['beneficiary-get'],
    method: 'GET',
    path: '/beneficiaries/v1/item/:beneficiaryId',
    summary: 'One beneficiary',
    params: itemParams,
    answer: inData(beneficiarySchema),
    perform: ({ account, params }) => {
      const beneficiary = account.beneficiaries.get(params.beneficiaryId);
      if (!beneficiary) throw notFound('beneficiary');
      return { data: beneficiaryAnswer(beneficiary) };
    },
  }),
  operation({
    ids: ['beneficiary-delete'],
    method: 'DELETE',
    path: '/beneficiaries/v1/item/:beneficiaryId',
    summary: 'Deletes a beneficiary; payments keep their copy, open quotes can no longer be used',
    params: itemParams,
    answer: inData(beneficiarySchema),
    perform: ({ account, params }) => {
      const beneficiary = account.beneficiaries.delete(params.beneficiaryId);
      if (!beneficiary) throw notFound('beneficiary');
      return { data: beneficiaryAnswer(beneficiary) };
    },
  }),
  operation({
    ids: ['beneficiary-find'],
    method: 'POST',
    reads: true,
    path: '/beneficiaries/v1/find',
    summary: 'All beneficiaries of the caller; the body is ignored',
    answer: inData(z.array(beneficiarySchema)),
    links: beneficiaryLinks('$response.body#/data/0/beneficiaryId'),
    perform: ({ account }) => ({ data: account.beneficiaries.list().map(beneficiaryAnswer) }),
  }),
];
