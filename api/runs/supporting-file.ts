import { z } from 'zod';
import { runId } from './run.ts';

/** How they are sent: those of other types as plain bytes, the last one. */
export const FILE_TYPES = ['application/pdf', 'image/png', 'image/jpeg', 'application/octet-stream'] as const;

export const fileSummarySchema = z
  .object({
    name: z.string(),
    contentType: z.string(),
    sizeBytes: z.int(),
    sha256: z.string().describe('SHA-256 of the content, in hex: an approval covers it.'),
  })
  .meta({ id: 'SupportingFile' });
export type FileSummary = z.infer<typeof fileSummarySchema>;

export const fileListSchema = z.object({ files: z.array(fileSummarySchema) });

const fileName = z
  .string()
  .min(1)
  .refine((name) => !name.includes('\0'), 'is not the name of a file');
export const fileParams = z.object({ runId, name: fileName });
