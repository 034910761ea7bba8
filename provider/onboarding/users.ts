import { z } from 'zod';
import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import type { DayFormat } from '../calls/calendar-day-fields.ts';
import { ProviderFailure } from '../calls/failure.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/request-fields.ts';
import { signUpAnswer, type SignUpRequest, signUpRequest } from './sign-up-fields.ts';
import type { UserStatus } from '../statuses.ts';
import {
  type UserDetails,
  userDetailsAnswer,
  type UserDetailsChange,
  userDetailsRequest,
} from './user-detail-fields.ts';
import { optionalText, requiredText } from '../calls/answer-fields.ts';

/** The answer to a sign-up. It has no credentials and no account: `users.get` has the `accountId`. */
type SignedUpUser = Omit<z.output<typeof signUpAnswer>, 'userId'> & {
  /**
   * Reading it throws `ProviderFailure` if the answer lacks it, as a sample does: the user exists, with an unknown id.
   */
  readonly userId: string;
};

const status = requiredText.transform((text): UserStatus => text);

/** Company calls take `accountId`. `remarks` are the operator's, on a rejection or a request for documents. */
const userAnswer = z.looseObject({
  id: requiredText,
  email: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  status,
  accountId: optionalText,
  remarks: optionalText,
});
type User = z.output<typeof userAnswer>;

const screeningAnswer = z.looseObject({ userId: optionalText, status });
type Screening = z.output<typeof screeningAnswer>;

/** Contract: account 2.1, 2.3, 2.4, 2.10, 4.2. All throw `ProviderFailure`, and `InvalidRequest` before sending. */
export interface UserCalls {
  /**
   * Sends the current token if there is one. Has no reference of ours to look the user up by after an unknown outcome.
   */
  signUp(request: SignUpRequest, options?: CallOptions): Promise<SignedUpUser>;
  get(userId: string, options?: CallOptions): Promise<User>;
  details(userId: string, options?: CallOptions): Promise<UserDetails>;
  /** An absent field is unchanged, null removes it. Idempotent. */
  updateDetails(userId: string, change: UserDetailsChange, options?: CallOptions): Promise<UserDetails>;
  /**
   * Requests a screening, whose result comes later. First check `missingScreeningFields` and update the company, which
   * cannot be changed afterwards. After an unknown outcome the user's status tells whether the screening was requested.
   */
  screen(userId: string, options?: CallOptions): Promise<Screening>;
}

export function createUserCalls(api: AuthorizedCaller, dayFormat: DayFormat): UserCalls {
  const changeRequest = userDetailsRequest(dayFormat);
  const detailsAnswer = recordOf(userDetailsAnswer);
  return {
    signUp: async (request, options) => {
      const operation = 'user-signup-v2';
      const body = checked(operation, signUpRequest, request);
      const secrets = body.password === undefined ? [] : [body.password];
      const answer = recordOf(signUpAnswer);
      const call = { operation, method: 'POST', path: '/v2/signup', body, secrets, answer } as const;
      return withUserId(await api.callWithOptionalToken(call, options));
    },
    get: async (userId, options) => {
      const path = userPath('user-get', userId);
      return api.call({ operation: 'user-get', method: 'GET', path, answer: recordOf(userAnswer) }, options);
    },
    details: async (userId, options) => {
      const path = `${userPath('user-detail-get', userId)}/detail`;
      return api.call({ operation: 'user-detail-get', method: 'GET', path, answer: detailsAnswer }, options);
    },
    updateDetails: async (userId, change, options) => {
      const operation = 'user-detail-patch';
      const path = `${userPath(operation, userId)}/detail`;
      const body = checked(operation, changeRequest, change);
      return api.call({ operation, method: 'PATCH', path, body, answer: detailsAnswer }, options);
    },
    screen: async (userId, options) => {
      const path = `${userPath('user-screen', userId)}/screen`;
      return api.call({ operation: 'user-screen', method: 'POST', path, answer: recordOf(screeningAnswer) }, options);
    },
  };
}

function userPath(operation: Operation, userId: string): string {
  return `/v2/users/${encodeURIComponent(checked(operation, pathId, userId))}`;
}

function withUserId({ userId, ...rest }: z.output<typeof signUpAnswer>): SignedUpUser {
  if (userId !== null && userId !== '') return { ...rest, userId };
  // Not enumerable, so that printing the answer does not throw.
  return Object.defineProperty(rest, 'userId', {
    enumerable: false,
    get: () => {
      throw new ProviderFailure({
        operation: 'user-signup-v2',
        kind: 'unknown_outcome',
        reason: 'the user was signed up, but the answer gave no userId; ask the operator for it',
      });
    },
  }) as typeof rest & { userId: string };
}
