/** The codes by which programs tell one refusal from another; people read the message. */
export const REFUSAL_CODES = [
  'invalid_input',
  'file_refused',
  'unauthenticated',
  'not_allowed',
  'not_found',
  'conflict',
  'too_large',
  'unsupported_media_type',
  'too_many',
  'unavailable',
  'internal',
] as const;

export type RefusalCode = (typeof REFUSAL_CODES)[number];

/** A request that the server itself refuses. What the application refuses is an ApplicationError. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: RefusalCode;
  readonly details: Record<string, unknown> | null;

  constructor(status: number, code: RefusalCode, message: string, details: Record<string, unknown> | null = null) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
