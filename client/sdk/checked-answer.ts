import type { z } from 'zod';
import { AnswerMismatchError } from './errors.ts';

/**
 * The answer as its schema describes it, without fields that this client does not know.
 * @throws AnswerMismatchError when the schema does not allow it
 */
export function checkedAnswer<Schema extends z.ZodType>(
  schema: Schema,
  answer: unknown,
  status: number,
): z.output<Schema> {
  const checked = schema.safeParse(answer);
  if (checked.success) return checked.data;
  throw new AnswerMismatchError(status, checked.error.issues[0]?.path.join('.') ?? '');
}
