import { z } from 'zod';
import { instant } from '../fields.ts';
import { caseDetailSchema, caseDocumentSchema } from './case-detail.ts';

const caseRevisionSchema = z.object({
  revision: z.int(),
  suppliedAt: instant,
  values: z.record(z.string(), z.string()).describe('All values as they were then, by the names of the file.'),
});

export const caseExportSchema = caseDetailSchema
  .extend({
    revisions: z.array(caseRevisionSchema).describe('Everything that was supplied, the first revision first.'),
    formerDocuments: z.array(caseDocumentSchema).describe('Files that later ones have replaced.'),
  })
  .meta({ id: 'CaseExport', description: 'Everything about an applicant, also what was supplied before.' });
export type CaseExport = z.infer<typeof caseExportSchema>;
