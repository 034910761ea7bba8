import type { FastifyRequest } from 'fastify';
import { type CaseDetail, maskedCase } from '../../api/onboarding/case-detail.ts';
import { mayReadApplicants } from '../users/access.ts';

/** The case as the user behind a request may see it. */
export function shownCase(request: FastifyRequest, detail: CaseDetail): CaseDetail {
  return mayReadApplicants(request) ? detail : maskedCase(detail);
}
