import type { ErrorCode } from '../api/error.ts';

/** An error of the server itself, with its HTTP status. The use cases throw ApplicationError. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | null;

  constructor(status: number, code: ErrorCode, message: string, details: Record<string, unknown> | null = null) {
    super(message);
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
