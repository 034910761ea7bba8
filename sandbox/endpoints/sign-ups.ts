import { z } from 'zod';
import { countryEntries } from '../corridors/countries.ts';
import { operation } from '../http/operation.ts';
import { id, listedCountry, textOf, withExample } from './field-types.ts';

const language = z.enum(['en', 'id']).nullish();
const accountType = z.enum(['company', 'individual']);
/** Within the limits of RFC 5321: 64 characters before the @, 63 in each label of the domain. */
const emailAddress = z
  .email({
    pattern:
      /^(?![.])(?!.*[.][.])[A-Za-z0-9_'+.-]{0,63}[A-Za-z0-9_+-]@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?[.])+[A-Za-z]{2,63}$/,
    error: 'must be an e-mail address',
  })
  .max(254);

const password = z
  .string()
  .min(8, 'must have 8 characters or more')
  .regex(/[A-Za-z]/, 'must have a letter')
  .regex(/[0-9]/, 'must have a digit')
  .regex(/^\S*$/, 'must have no space');

/** Contract: account 2.1. */
const signUpBody = z.object({
  firstName: textOf(1, 64),
  lastName: textOf(1, 64),
  email: emailAddress.max(128),
  password: password.nullish(),
  language,
  countryCode: listedCountry,
  accountType,
  companyName: z.string().min(1).nullish(),
});

/** Fields in samples of the legacy sign-up that its field lists do not define; the answer repeats them. */
const undefinedFields = {
  product: z.string().nullish(),
  userType: z.string().nullish(),
  mobileTelephone: z.string().nullish(),
  mobileCountryCode: z.string().nullish(),
};

/** Contract: account 2.2. */
const legacyBody = z.object({
  firstName: z.string().min(1),
  lastName: z.string().min(1),
  email: emailAddress,
  password: z.string().min(1),
  products: z.enum(['payments', 'collections', 'fx']),
  language,
  country: listedCountry,
  accountType,
  ...undefinedFields,
});

const answerFields = { email: z.string(), firstName: z.string(), lastName: z.string(), language: z.enum(['en', 'id']) };
const emailBody = withExample(z.object({ email: emailAddress }), { email: 'anna@example.com' });

const parameters = { userId: '$response.body#/userId' };
const userLinks = {
  read: { operationId: 'user-get', parameters },
  details: { operationId: 'user-detail-get', parameters },
  change: { operationId: 'user-detail-patch', parameters },
  screen: { operationId: 'user-screen', parameters },
  document: { operationId: 'document-create', parameters },
  documents: { operationId: 'document-list', parameters },
};

/** Contract: account 4.1 and 4.2. The sandbox sends no mail. */
export const signUps = [
  operation({
    ids: ['user-signup-v2'],
    method: 'POST',
    path: '/v2/signup',
    summary: 'Signs a user up; read the user for its account',
    body: signUpBody,
    refusals: [409],
    links: userLinks,
    answer: z.object({
      userId: id.optional(),
      ...answerFields,
      countryCode: z.string(),
      accountType,
      companyName: z.string().nullable().optional(),
    }),
    perform: ({ world, account, body }) => {
      const { signupCompanyName, signupUserId } = world.options;
      const companyName = signupCompanyName === 'on' ? (body.companyName ?? null) : null;
      const user = account.users.signUp({ ...body, companyName });
      return {
        userId: signupUserId === 'returned' ? user.id : undefined,
        email: body.email,
        firstName: body.firstName,
        lastName: body.lastName,
        language: body.language ?? 'en',
        countryCode: body.countryCode,
        accountType: body.accountType,
        companyName: body.accountType === 'company' && signupCompanyName === 'on' ? companyName : undefined,
      };
    },
  }),
  operation({
    ids: ['auth-signup-v1'],
    method: 'POST',
    path: '/users/v1/signup',
    summary: 'Legacy sign-up, which also issues an access key for the same API key',
    body: legacyBody,
    refusals: [409],
    links: userLinks,
    answer: z.object({
      userId: id,
      accessKeyId: z.string(),
      secretAccessKey: z.string(),
      ...answerFields,
      products: z.string(),
      country: z.string(),
      accountType,
      userName: z.string(),
      ...undefinedFields,
    }),
    perform: ({ account, body }) => {
      const user = account.users.signUp({ ...body, companyName: null });
      return {
        userId: user.id,
        ...account.signIns.issue(),
        email: body.email,
        firstName: body.firstName,
        lastName: body.lastName,
        language: body.language ?? 'en',
        products: body.products,
        country: body.country,
        accountType: body.accountType,
        userName: body.email,
        product: body.product,
        userType: body.userType,
        mobileTelephone: body.mobileTelephone,
        mobileCountryCode: body.mobileCountryCode,
      };
    },
  }),
  operation({
    ids: ['auth-forgot-password'],
    method: 'POST',
    reads: true,
    path: '/users/v1/forgot-password',
    summary: 'Gives the same answer whether or not the e-mail is known',
    body: emailBody,
    answer: z.object({ message: z.string() }),
    perform: () => ({ message: 'If this e-mail is known, a link to change the password was sent to it.' }),
  }),
  operation({
    ids: ['auth-signup-resend'],
    method: 'POST',
    reads: true,
    path: '/users/v1/signup/resend',
    summary: 'Requests the confirmation mail again',
    body: emailBody,
    answer: z.object({}),
    perform: () => ({}),
  }),
  operation({
    ids: ['countries-list'],
    method: 'GET',
    path: '/users/v1/countries',
    summary: 'The countries, with their dialling codes; no envelope',
    answer: z.array(
      z.object({ ituTelephoneCode: z.string(), iso3166TwoLetterCode: z.string(), commonName: z.string() }),
    ),
    perform: () => countryEntries,
  }),
];
