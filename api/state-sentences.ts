import { z } from 'zod';
import type { StateSentences } from '../domain/state-table.ts';

export const stateSentencesSchema = z
  .object({
    status: z.string().describe('How it stands, or how it ended and by whom.'),
    toDo: z.string().nullable().describe('Who does what now; null: nobody needs to do anything.'),
  })
  .meta({
    id: 'StateSentences',
    description: 'What is said of an order or a case to people.',
  }) satisfies z.ZodType<StateSentences>;
