import { Readable } from 'node:stream';
import { beneficiaryEndpoints } from '../../api/beneficiaries/endpoints.ts';
import type { BeneficiariesApplication } from '../../application/beneficiaries/use-cases.ts';
import type { Api } from '../api.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import { serve } from '../serve.ts';

const BODY_LIMIT_BYTES = 8_000_000;

export function addBeneficiaryRoutes(app: Api, application: BeneficiariesApplication): void {
  serve(
    app,
    beneficiaryEndpoints,
    {
      listBeneficiaries: async ({ user, query }) => ({
        beneficiaries: await application.listBeneficiaries(user, query),
      }),
      exportBeneficiaries: async ({ user, query: { account }, reply }) => {
        const lines = await application.exportBeneficiaries(user, account);
        void reply.type('text/csv; charset=utf-8');
        void reply.header('content-disposition', 'attachment; filename="beneficiaries.csv"');
        return Readable.from(lines);
      },
      addBeneficiaries: async ({ user, body }) => {
        const outcome = await application.addBeneficiaries(user, body);
        if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount);
        return { added: outcome.added, known: outcome.known };
      },
      confirmBeneficiaries: ({ user, body }) => application.confirmBeneficiaries(user, body),
      endBeneficiaries: ({ user, body }) => application.endBeneficiaries(user, body),
    },
    { addBeneficiaries: { bodyLimit: BODY_LIMIT_BYTES } },
  );
}
