import { z } from 'zod';
import { ACCOUNT_TYPES, LANGUAGES } from '../../domain/onboarding/choices.ts';
import { countryCode, emailAddress, nonEmptyText } from '../calls/request-fields.ts';
import { SecretText } from '../calls/secret-text.ts';
import { optionalText, requiredText } from '../calls/answer-fields.ts';

/**
 * The fields of both sign-ups. Unknown fields of their answers are dropped, since they may contain a password.
 * Contract: account 2.1, 2.2.
 */

const person = (maxNameLength: number, maxEmailLength: number) => {
  const name = nonEmptyText.max(maxNameLength, `give at most ${maxNameLength} characters`);
  return {
    firstName: name,
    lastName: name,
    email: emailAddress.max(maxEmailLength, `give at most ${maxEmailLength} characters`),
    language: z.enum(LANGUAGES, 'give en or id').optional(),
    accountType: z.enum(ACCOUNT_TYPES, 'give company or individual'),
  };
};

const PASSWORD_FIX = 'give 8 characters or more, with a letter and a digit, without spaces';

export const signUpRequest = z.strictObject({
  ...person(64, 128),
  password: z
    .string(PASSWORD_FIX)
    .regex(/^(?=.*\p{L})(?=.*\d)\S{8,}$/u, PASSWORD_FIX)
    .optional(),
  countryCode,
  companyName: nonEmptyText.optional(),
});
export type SignUpRequest = z.input<typeof signUpRequest>;

export const signUpAnswer = z.object({
  userId: optionalText,
  email: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  language: optionalText,
  countryCode: optionalText,
  accountType: optionalText,
  companyName: optionalText,
});

/** Only samples show the last four fields; they are sent if given. */
export const legacySignUpRequest = z.strictObject({
  ...person(1_000, 1_000),
  password: z.string('give a password').min(1, 'give a password'),
  products: z.enum(['payments', 'collections', 'fx'], 'give one of payments, collections, fx'),
  country: countryCode,
  product: nonEmptyText.optional(),
  userType: nonEmptyText.optional(),
  mobileTelephone: nonEmptyText.optional(),
  mobileCountryCode: nonEmptyText.optional(),
});
export type LegacySignUpRequest = z.input<typeof legacySignUpRequest>;

const secret = requiredText.transform((text) => new SecretText(text));

/** The only answer with these two secrets; they are wrapped so that printing them shows nothing. */
export const legacySignUpAnswer = z.object({
  userId: optionalText,
  accessKeyId: secret,
  secretAccessKey: secret,
  email: optionalText,
  firstName: optionalText,
  lastName: optionalText,
  language: optionalText,
  products: optionalText,
  country: optionalText,
  accountType: optionalText,
  userName: optionalText,
  product: optionalText,
  userType: optionalText,
  mobileTelephone: optionalText,
  mobileCountryCode: optionalText,
});
export type LegacySignUp = z.output<typeof legacySignUpAnswer>;

export const emailRequest = z.strictObject({ email: person(1, 1_000).email });

/** `iso3166TwoLetterCode` is `country` in sign-ups, `ituTelephoneCode` is `mobileCountryCode` in details. */
export const countryAnswer = z.looseObject({
  iso3166TwoLetterCode: requiredText,
  ituTelephoneCode: optionalText,
  commonName: optionalText,
});
export type Country = z.output<typeof countryAnswer>;
