import type { z } from 'zod';
import type { Operation } from '../operations.ts';

/** A request with an invalid field, which was not sent. Names the field, never its content. */
export class InvalidRequest extends Error {
  override readonly name = 'InvalidRequest';
  readonly operation: Operation;
  readonly field: string;

  constructor(operation: Operation, field: string, fix: string) {
    super(`${operation}: ${field}: ${fix}`);
    this.operation = operation;
    this.field = field;
  }
}

/** The request as it is sent. @throws InvalidRequest for the first invalid field */
export function checked<Schema extends z.ZodType>(
  operation: Operation,
  schema: Schema,
  request: unknown,
): z.output<Schema> {
  const result = schema.safeParse(request);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const unknownKeys = issue?.code === 'unrecognized_keys' ? issue.keys : [];
  const path = [...(issue?.path ?? []), ...unknownKeys.slice(0, 1)].map(String).join('.');
  throw new InvalidRequest(operation, path === '' ? 'request' : path, issue?.message ?? 'is invalid');
}
