import { z } from 'zod';

/** The codes by which programs distinguish errors; people read the message. */
export const ERROR_CODES = [
  'invalid_input',
  'file_refused',
  'applicants_refused',
  'schedule_refused',
  'unauthenticated',
  'signed_out',
  'signed_in_as_another',
  'not_allowed',
  'second_factor_needed',
  'not_found',
  'method_not_allowed',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'too_many',
  'unavailable',
  'internal',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The body of every error. */
export const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(ERROR_CODES).describe('Code of the error, for programs; codes do not change.'),
      message: z.string().describe('What happened and what to do, for people.'),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Refusal', description: 'Why a request was refused.' });
