import { z } from 'zod';
import { REFUSAL_CODES } from '../server/refusal.ts';

/** The one shape of every refusal. */
const refusalSchema = z
  .object({
    error: z.object({
      code: z.enum(REFUSAL_CODES).describe('For programs.'),
      message: z.string().describe('For people: what happened and what to do.'),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
  })
  .meta({ id: 'Refusal', description: 'Why a request was refused.' });

const REASONS = {
  400: 'The input is wrong; the message names the field.',
  401: 'No token, or one that is unknown, expired or revoked.',
  403: 'The role, or a rule such as that of maker and checker, does not allow this.',
  404: 'There is no such thing.',
  409: 'Not in the present state.',
  422: 'The file was refused; `details.problems` names line, column, value and fix of the first 1,000 things that are wrong, and `details.problemCount` counts all.',
  413: 'Larger than this address accepts.',
  415: 'A body of a kind that this address does not accept.',
  500: 'A bug; the details give the request id to look for in the logs.',
  503: 'A service that payrun needs cannot be reached, or the server is busy. Nothing was done; try again.',
} as const;

type RefusalStatus = keyof typeof REASONS;
const reasons: Readonly<Record<RefusalStatus, string>> = REASONS;
type RefusalAnswers<S extends RefusalStatus> = Record<
  S,
  { description: string; content: { 'application/json': { schema: typeof refusalSchema } } }
>;

function refusals<const S extends RefusalStatus>(statuses: readonly S[]): RefusalAnswers<S> {
  const content = { 'application/json': { schema: refusalSchema } };
  const answers = statuses.map((status) => [status, { description: reasons[status], content }] as const);
  return Object.fromEntries(answers) as RefusalAnswers<S>;
}

/** The refusals that a route may give, beside those that every route behind a token may. */
export function refusalsOf<const S extends RefusalStatus = never>(
  ...statuses: S[]
): RefusalAnswers<S | 401 | 403 | 500 | 503> {
  return refusals<S | 401 | 403 | 500 | 503>([401, 403, ...statuses, 500, 503]);
}

/** The refusals of a route that is open to anyone. */
export function openRefusalsOf<const S extends RefusalStatus = never>(...statuses: S[]): RefusalAnswers<S | 500> {
  return refusals<S | 500>([...statuses, 500]);
}

/** A JSON answer with its description. */
export function json<T extends z.ZodType>(
  description: string,
  schema: T,
): { description: string; content: { 'application/json': { schema: T } } } {
  return { description, content: { 'application/json': { schema } } };
}

/** A file of one of several kinds, sent as it is. */
export function bytes<const M extends string>(
  description: string,
  mediaTypes: readonly M[],
): { description: string; content: Record<M, { schema: z.ZodString }> } {
  const schema = z.string().meta({ format: 'binary' });
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema }]));
  return { description, content: content as Record<M, { schema: z.ZodString }> };
}

/** An answer that is sent as it is made, in another format than JSON. */
export function text<const M extends string>(
  description: string,
  mediaType: M,
): { description: string; content: Record<M, { schema: z.ZodString }> } {
  return { description, content: { [mediaType]: { schema: z.string() } } as Record<M, { schema: z.ZodString }> };
}
