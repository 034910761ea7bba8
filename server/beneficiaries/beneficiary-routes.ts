import { Readable } from 'node:stream';
import { beneficiaryEndpoints, bookFieldsSchema } from '../../api/beneficiaries/endpoints.ts';
import type { BeneficiariesApplication } from '../../application/beneficiaries/use-cases.ts';
import type { Api } from '../api.ts';
import { fileRefused } from '../runs/submission-routes.ts';
import { readSheetForm } from '../payment-file/reading-routes.ts';
import { serve } from '../serve.ts';
import type { UploadIntake } from '../upload-intake.ts';

const LIMIT_BYTES = 20_000_000;

export function addBeneficiaryRoutes(app: Api, application: BeneficiariesApplication, intake: UploadIntake): void {
  serve(app, beneficiaryEndpoints, {
    listBeneficiaries: ({ user, query }) => application.listBeneficiaries(user, query),
    exportBeneficiaries: async ({ user, query: { account }, reply }) => {
      const lines = await application.exportBeneficiaries(user, account);
      void reply.type('text/csv; charset=utf-8');
      void reply.header('content-disposition', 'attachment; filename="beneficiaries.csv"');
      return Readable.from(lines);
    },
    addBeneficiaries: async ({ user, request }) => {
      const outcome = await intake.receive(user, request, async (spool) => {
        const form = await readSheetForm(request, spool, { fields: bookFieldsSchema, limitBytes: LIMIT_BYTES });
        return application.addBeneficiaries(user, form);
      });
      if (outcome.kind === 'refused') throw fileRefused(outcome.problems, outcome.problemCount, outcome.sheetNames);
      return { added: outcome.added, known: outcome.known };
    },
    confirmBeneficiaries: ({ user, body }) => application.confirmBeneficiaries(user, body),
    endBeneficiaries: ({ user, body }) => application.endBeneficiaries(user, body),
  });
}
