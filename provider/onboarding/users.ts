import { z } from 'zod';
import { type CallOptions, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import type { DayForm } from '../calls/calendar-days.ts';
import { ProviderFailure } from '../calls/failure.ts';
import { checked } from '../calls/invalid-request.ts';
import type { Operation } from '../operations.ts';
import { pathId } from '../calls/sent-fields.ts';
import { signUpAnswer, type SignUpRequest, signUpSent } from './sign-up-fields.ts';
import type { UserStatus } from '../payments/payment-statuses.ts';
import { type UserDetails, userDetailsAnswer, type UserDetailsChange, userDetailsSent } from './user-detail-fields.ts';
import { optionalText, requiredText } from '../calls/wire-fields.ts';

/** What came back of a sign-up. It holds no credentials and no account: `users.get` shows the `accountId`. */
type SignedUpUser = Omit<z.output<typeof signUpAnswer>, 'userId'> & {
  /** A sample answer lacks it: then reading it throws `ProviderFailure`, since the user exists but cannot be named. */
  readonly userId: string;
};

const status = requiredText.transform((text): UserStatus => text);

/** `accountId` is what company calls take; `remarks` are the operator's, on a rejection or a call for documents. */
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
  /** A token goes along if there is one. A user cannot be looked up by anything of ours after an unknown outcome. */
  signUp(request: SignUpRequest, options?: CallOptions): Promise<SignedUpUser>;
  get(userId: string, options?: CallOptions): Promise<User>;
  details(userId: string, options?: CallOptions): Promise<UserDetails>;
  /** What is left out stays, what is null is removed. May be repeated. */
  updateDetails(userId: string, change: UserDetailsChange, options?: CallOptions): Promise<UserDetails>;
  /**
   * Asks for a screening, whose result comes later. See `missingForScreening` first, and update the company before:
   * it cannot be changed any more. After an unknown outcome the user's status tells whether it was asked for.
   */
  screen(userId: string, options?: CallOptions): Promise<Screening>;
}

export function createUserCalls(api: AuthorisedCaller, form: DayForm): UserCalls {
  const changeSent = userDetailsSent(form);
  const detailsAnswer = recordOf(userDetailsAnswer);
  return {
    signUp: async (request, options) => {
      const operation = 'user-signup-v2';
      const body = checked(operation, signUpSent, request);
      const secrets = body.password === undefined ? [] : [body.password];
      const answer = recordOf(signUpAnswer);
      const call = { operation, method: 'POST', path: '/v2/signup', body, secrets, answer } as const;
      return named(await api.callOpen(call, options));
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
      const body = checked(operation, changeSent, change);
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

function named({ userId, ...rest }: z.output<typeof signUpAnswer>): SignedUpUser {
  if (userId !== null && userId !== '') return { ...rest, userId };
  // Not enumerable, so that printing the answer is no use of the id.
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
