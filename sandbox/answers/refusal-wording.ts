import { hash32 } from '../core/seeded-random.ts';
import type { Json } from '../core/json.ts';
import type { Refusal } from '../core/refusal.ts';

/** A refusal as callers receive it. */
export interface AnsweredRefusal {
  readonly status: number;
  readonly body: Json;
}

interface Wording {
  readonly statuses: readonly number[];
  readonly codes: readonly string[];
  readonly messages: readonly string[];
}

/**
 * Wordings for refusals that the contract does not define. Each seed has one wording per code, so that nobody relies on
 * the sandbox's words.
 */
const WORDINGS: Readonly<Record<string, Wording>> = {
  insufficient_balance: {
    statuses: [400, 402, 409, 422],
    codes: ['insufficient_balance', 'INSUFFICIENT_FUNDS', 'E1042', 'unprocessable', 'bad_request'],
    messages: [
      'Insufficient funds',
      'The wallet does not hold enough',
      'The payment cannot be processed',
      'Bad Request',
    ],
  },
  not_fundable: {
    statuses: [400, 409, 422],
    codes: ['not_fundable', 'invalid_state', 'E1050', 'bad_request'],
    messages: ['The payment is not awaiting funds', 'Invalid state', 'Bad Request'],
  },
  funding_cutoff_passed: {
    statuses: [400, 409, 410, 422],
    codes: ['funding_cutoff_passed', 'expired', 'E1051', 'bad_request'],
    messages: ['The cut-off has passed', 'Too late', 'Bad Request'],
  },
  quote_expired: {
    statuses: [400, 404, 409, 410, 422],
    codes: ['quote_expired', 'RATE_EXPIRED', 'E2001', 'invalid_request', 'bad_request'],
    messages: ['The quote has expired', 'The rate is no longer valid', 'Invalid request', 'Bad Request'],
  },
  quote_used: {
    statuses: [400, 409, 422],
    codes: ['quote_used', 'RATE_USED', 'E2002', 'bad_request'],
    messages: ['The quote was used already', 'Invalid request', 'Bad Request'],
  },
  quote_not_found: {
    statuses: [400, 404, 422],
    codes: ['quote_not_found', 'not_found', 'E2003', 'bad_request'],
    messages: ['No such quote', 'Not found', 'Bad Request'],
  },
  beneficiary_mismatch: {
    statuses: [400, 409, 422],
    codes: ['beneficiary_mismatch', 'E2004', 'bad_request'],
    messages: ['The quote is for another beneficiary', 'Bad Request'],
  },
  email_taken: {
    statuses: [400, 409, 422],
    codes: ['email_taken', 'USER_EXISTS', 'E4001', 'conflict', 'bad_request'],
    messages: ['This e-mail address is in use', 'The user exists already', 'Conflict', 'Bad Request'],
  },
  details_incomplete: {
    statuses: [400, 409, 422],
    codes: ['details_incomplete', 'KYC_INCOMPLETE', 'E4002', 'bad_request'],
    messages: ['Details are missing', 'The user cannot be screened yet', 'Bad Request'],
  },
  account_status_not_allowed: {
    statuses: [400, 409, 422],
    codes: ['account_status_not_allowed', 'invalid_state', 'E4003', 'bad_request'],
    messages: ['The company cannot be changed any more', 'Invalid state', 'Bad Request'],
  },
  file_not_uploaded: {
    statuses: [400, 404, 422],
    codes: ['file_not_uploaded', 'E2005', 'bad_request'],
    messages: ['A file is missing', 'Bad Request'],
  },
};

/** A duplicate reference is answered with 409, or with a message that names the reference. */
const DUPLICATE_WORDINGS: Readonly<Record<number, Wording>> = {
  409: {
    statuses: [409],
    codes: ['duplicate_reference', 'conflict', 'E3001'],
    messages: ['Conflict', 'It exists already'],
  },
  400: { statuses: [400, 422], codes: ['duplicate_reference', 'E3001'], messages: ['referenceId is taken'] },
};

const SHAPES: readonly ((code: string, message: string, status: number) => Json)[] = [
  (code, message) => ({ code, message }),
  (code, message) => ({ error: { code, message } }),
  (_code, message) => ({ error: message }),
  (code, message) => ({ errors: [{ code, message }] }),
  (_code, message, status) => ({ statusCode: status, message: [message] }),
  (_code, message) => message,
];

/** The refusal in the seed's wording; unchanged where the contract defines it, or where clients do not depend on it. */
export function drawRefusalWording(seed: number, { status, code, message }: Refusal): AnsweredRefusal {
  const draw = <T>(what: string, from: readonly T[]): T | undefined =>
    from[hash32(`${seed}/${code}/${what}`) % from.length];
  const wording = code === 'duplicate_reference' ? DUPLICATE_WORDINGS[draw('way', [409, 400]) ?? 409] : WORDINGS[code];
  if (wording === undefined) return { status, body: { code, message } };
  const drawn = draw('status', wording.statuses) ?? status;
  const shape = SHAPES[hash32(`${seed}/shape`) % SHAPES.length];
  const words = [draw('code', wording.codes) ?? code, draw('message', wording.messages) ?? message] as const;
  return { status: drawn, body: shape === undefined ? { code, message } : shape(...words, drawn) };
}
