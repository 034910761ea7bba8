/** An error answer: status, and the body `{code, message}`. Messages contain no bank details. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, retryAfterSeconds?: number) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** A field that is missing or wrong; `field` is its path in the body, e.g. `bankAccount.iban`. */
export const invalidField = (field: string, fix: string): Refusal =>
  new Refusal(400, 'validation_failed', `${field}: ${fix}`);

/** A method that a path does not support. @param allow the methods that it supports, as in the `Allow` header */
export class WrongMethod extends Refusal {
  readonly allow: string;

  constructor(allow: string) {
    super(405, 'method_not_allowed', `this path takes ${allow} only`);
    this.allow = allow;
  }
}

export const notFound = (what: string): Refusal => new Refusal(404, 'not_found', `${what} does not exist`);
