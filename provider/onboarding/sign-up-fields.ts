import { z } from 'zod';
import { countryCode, emailAddress, sentText } from '../calls/sent-fields.ts';
import { SecretText } from '../calls/secret-text.ts';
import { optionalText, requiredText } from '../calls/wire-fields.ts';

/**
 * Both generations of sign-up on the wire. What their answers hold beyond the known fields is not kept, since it may be
 * a password. Contract: account 2.1, 2.2.
 */

const person = (longestName: number, longestEmail: number) => {
  const name = sentText.max(longestName, `give at most ${longestName} characters`);
  return {
    firstName: name,
    lastName: name,
    email: emailAddress.max(longestEmail, `give at most ${longestEmail} characters`),
    language: z.enum(['en', 'id'], 'give en or id').optional(),
    accountType: z.enum(['company', 'individual'], 'give company or individual'),
  };
};

const PASSWORD_FIX = 'give 8 characters or more, with a letter and a digit, without spaces';

export const signUpSent = z.strictObject({
  ...person(64, 128),
  password: z
    .string(PASSWORD_FIX)
    .regex(/^(?=.*\p{L})(?=.*\d)\S{8,}$/u, PASSWORD_FIX)
    .optional(),
  countryCode,
  companyName: sentText.optional(),
});
export type SignUpRequest = z.input<typeof signUpSent>;

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

/** The last four are shown in samples alone; they are passed on. */
export const legacySignUpSent = z.strictObject({
  ...person(1_000, 1_000),
  password: z.string('give a password').min(1, 'give a password'),
  products: z.enum(['payments', 'collections', 'fx'], 'give one of payments, collections, fx'),
  country: countryCode,
  product: sentText.optional(),
  userType: sentText.optional(),
  mobileTelephone: sentText.optional(),
  mobileCountryCode: sentText.optional(),
});
export type LegacySignUpRequest = z.input<typeof legacySignUpSent>;

const secret = requiredText.transform((text) => new SecretText(text));

/** Its two secrets are issued this once: they are in wrappers that show nothing. */
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

export const addresseeSent = z.strictObject({ email: person(1, 1_000).email });

/** `iso3166TwoLetterCode` is what sign-ups call country, `ituTelephoneCode` what details call mobileCountryCode. */
export const countryAnswer = z.looseObject({
  iso3166TwoLetterCode: requiredText,
  ituTelephoneCode: optionalText,
  commonName: optionalText,
});
export type Country = z.output<typeof countryAnswer>;
