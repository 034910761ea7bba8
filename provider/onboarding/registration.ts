import { z } from 'zod';
import { type ApiCall, type CallOptions, listOf, nothing, recordOf } from '../calls/api-call.ts';
import type { AuthorizedCaller } from '../calls/authorized-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import {
  emailRequest,
  type Country,
  countryAnswer,
  type LegacySignUp,
  legacySignUpAnswer,
  type LegacySignUpRequest,
  legacySignUpRequest,
} from './sign-up-fields.ts';
import { optionalText } from '../calls/answer-fields.ts';

const messageAnswer = z.looseObject({ message: optionalText }).nullable();

/**
 * Contract: account 2.2, 2.9, 4.1. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. Whether
 * they need a token is not documented: the current one is sent if there is one. Repeating a call sends its mail again.
 */
export interface RegistrationCalls {
  /** The older sign-up. Only this answer contains the credentials: after an unknown outcome they cannot be read. */
  legacySignUp(request: LegacySignUpRequest, options?: CallOptions): Promise<LegacySignUp>;
  /** Sends a mail with a link to change the password. Returns the provider's message, or null. */
  forgotPassword(email: string, options?: CallOptions): Promise<string | null>;
  /** Sends the sign-up's confirmation mail again. */
  resendConfirmation(email: string, options?: CallOptions): Promise<void>;
  countries(options?: CallOptions): Promise<Country[]>;
}

const COUNTRIES: ApiCall<z.ZodArray<typeof countryAnswer>> = {
  operation: 'countries-list',
  method: 'GET',
  path: '/users/v1/countries',
  answer: listOf(countryAnswer),
};

export function createRegistrationCalls(api: AuthorizedCaller): RegistrationCalls {
  return {
    legacySignUp: async (request, options) => {
      const operation = 'auth-signup-v1';
      const body = checked(operation, legacySignUpRequest, request);
      const answer = recordOf(legacySignUpAnswer);
      const call = {
        operation,
        method: 'POST',
        path: '/users/v1/signup',
        body,
        secrets: [body.password],
        answer,
      } as const;
      return api.callWithOptionalToken(call, options);
    },
    forgotPassword: async (email, options) => {
      const operation = 'auth-forgot-password';
      const body = checked(operation, emailRequest, { email });
      const answer = recordOf(messageAnswer);
      const path = '/users/v1/forgot-password';
      return (
        (await api.callWithOptionalToken({ operation, method: 'POST', path, body, answer }, options))?.message ?? null
      );
    },
    resendConfirmation: async (email, options) => {
      const operation = 'auth-signup-resend';
      const body = checked(operation, emailRequest, { email });
      await api.callWithOptionalToken(
        { operation, method: 'POST', path: '/users/v1/signup/resend', body, answer: nothing },
        options,
      );
    },
    countries: async (options) => api.callWithOptionalToken(COUNTRIES, options),
  };
}
