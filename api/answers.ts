import { z } from 'zod';
import { errorSchema } from './error.ts';

/** How the description of the API shows answers. */

const REASONS = {
  400: 'The input is wrong; the message names the field.',
  401: 'No token or session, or one that is unknown, ended or revoked.',
  403: 'The role, or a rule such as that of maker and checker, does not allow this.',
  404: 'There is no such thing.',
  409: 'Not in the present state.',
  422: 'The file was refused; `details.problems` names line, column, value and fix of the first 1,000 things that are wrong, and `details.problemCount` counts all.',
  413: 'Larger than this address accepts.',
  429: 'Too many failed tries, or more than a user may ask for in a day; `details.retryAfterSeconds` says how long to wait.',
  415: 'A body of a kind that this address does not accept.',
  500: 'A bug; the details give the request id to look for in the logs.',
  503: 'A service that payrun needs cannot be reached, or the server is busy. Try again; before a decision or a confirmation is repeated, look at the run: it may have been recorded.',
} as const;

export type ErrorStatus = keyof typeof REASONS;
const reasons: Readonly<Record<ErrorStatus, string>> = REASONS;
type ErrorAnswers<S extends ErrorStatus> = Record<
  S,
  { description: string; content: { 'application/json': { schema: typeof errorSchema } } }
>;

function errorAnswers<const S extends ErrorStatus>(statuses: readonly S[]): ErrorAnswers<S> {
  const content = { 'application/json': { schema: errorSchema } };
  const answers = statuses.map((status) => [status, { description: reasons[status], content }] as const);
  return Object.fromEntries(answers) as ErrorAnswers<S>;
}

/** The errors of a route, beside those that every route behind a token may answer. */
export function errorsOf<const S extends ErrorStatus = never>(
  ...statuses: S[]
): ErrorAnswers<S | 401 | 403 | 500 | 503> {
  return errorAnswers<S | 401 | 403 | 500 | 503>([401, 403, ...statuses, 500, 503]);
}

/** The errors of a route that is open to anyone. */
export function publicErrorsOf<const S extends ErrorStatus = never>(...statuses: S[]): ErrorAnswers<S | 500> {
  return errorAnswers<S | 500>([...statuses, 500]);
}

/** A JSON answer with its description. */
export function json<T extends z.ZodType>(
  description: string,
  schema: T,
): { description: string; content: { 'application/json': { schema: T } } } {
  return { description, content: { 'application/json': { schema } } };
}

const bytesSchema = z.string().meta({ format: 'binary' }).brand<'bytes', 'in'>();

/** A file of one of several kinds, sent as it is. */
export function bytes<const M extends string>(
  description: string,
  mediaTypes: readonly M[],
): { description: string; content: Record<M, { schema: typeof bytesSchema }> } {
  const content = Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, { schema: bytesSchema }]));
  return { description, content: content as Record<M, { schema: typeof bytesSchema }> };
}

/** An answer that is sent as it is made, in another format than JSON. */
export function text<const M extends string>(
  description: string,
  mediaType: M,
): { description: string; content: Record<M, { schema: z.ZodString }> } {
  return { description, content: { [mediaType]: { schema: z.string() } } as Record<M, { schema: z.ZodString }> };
}

/** An answer without a body. */
export function nothing(description: string): z.ZodUndefined {
  return z.undefined().describe(description);
}
