import { z } from 'zod';
import { type ApiCall, type CallOptions, listOf, nothing, recordOf } from '../calls/api-call.ts';
import type { AuthorisedCaller } from '../calls/authorised-caller.ts';
import { checked } from '../calls/invalid-request.ts';
import {
  addresseeSent,
  type Country,
  countryAnswer,
  type LegacySignUp,
  legacySignUpAnswer,
  type LegacySignUpRequest,
  legacySignUpSent,
} from './sign-up-fields.ts';
import { optionalText } from '../calls/wire-fields.ts';

const messageAnswer = z.looseObject({ message: optionalText }).nullable();

/**
 * Contract: account 2.2, 2.9, 4.1. All throw `ProviderFailure`, and `InvalidRequest` before anything is sent. Whether
 * they need a token is not documented: one goes along if there is one. A mail that is asked for twice comes twice.
 */
export interface RegistrationCalls {
  /** The older sign-up. It issues credentials, this once: after an unknown outcome they are lost. */
  legacySignUp(request: LegacySignUpRequest, options?: CallOptions): Promise<LegacySignUp>;
  /** Has a link mailed by which the password can be changed. What the provider says about it, or null. */
  forgotPassword(email: string, options?: CallOptions): Promise<string | null>;
  /** Has the confirmation of the sign-up mailed again. */
  resendConfirmation(email: string, options?: CallOptions): Promise<void>;
  countries(options?: CallOptions): Promise<Country[]>;
}

const COUNTRIES: ApiCall<z.ZodArray<typeof countryAnswer>> = {
  operation: 'countries-list',
  method: 'GET',
  path: '/users/v1/countries',
  answer: listOf(countryAnswer),
};

export function createRegistrationCalls(api: AuthorisedCaller): RegistrationCalls {
  return {
    legacySignUp: async (request, options) => {
      const operation = 'auth-signup-v1';
      const body = checked(operation, legacySignUpSent, request);
      const answer = recordOf(legacySignUpAnswer);
      const call = {
        operation,
        method: 'POST',
        path: '/users/v1/signup',
        body,
        secrets: [body.password],
        answer,
      } as const;
      return api.callOpen(call, options);
    },
    forgotPassword: async (email, options) => {
      const operation = 'auth-forgot-password';
      const body = checked(operation, addresseeSent, { email });
      const answer = recordOf(messageAnswer);
      const path = '/users/v1/forgot-password';
      return (await api.callOpen({ operation, method: 'POST', path, body, answer }, options))?.message ?? null;
    },
    resendConfirmation: async (email, options) => {
      const operation = 'auth-signup-resend';
      const body = checked(operation, addresseeSent, { email });
      await api.callOpen(
        { operation, method: 'POST', path: '/users/v1/signup/resend', body, answer: nothing },
        options,
      );
    },
    countries: async (options) => api.callOpen(COUNTRIES, options),
  };
}
