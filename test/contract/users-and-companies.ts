import type { CompanyUpdate } from '../../provider/onboarding/company.ts';
import type { UserDetailsChange } from '../../provider/onboarding/user-detail-fields.ts';
import { asText } from '../sandbox/a-sandbox.ts';
import type { ContractContext } from './contract-context.ts';

/** Users and companies for cases to start with. */

export const aSignUp = {
  firstName: 'Mei',
  lastName: 'Tan',
  email: 'mei@example.com',
  password: 'passw0rd-of-mei',
  countryCode: 'SG',
  accountType: 'company',
  companyName: 'Tan Trading',
} as const;

/** Everything that a screening requires, in the client's format. */
export const completeDetails: UserDetailsChange = {
  firstName: 'Mei',
  lastName: 'Tan',
  mobileCountryCode: '+65',
  mobileNumber: '81234567',
  gender: 'female',
  countryOfBirth: 'SG',
  nationality: 'SG',
  countryOfResidence: 'SG',
  residentialAddress: '2 Example Road',
  countryCode: 'SG',
  postalCode: '018989',
  dateOfBirth: '1988-02-29',
  identificationType: 'nric',
  identificationNumber: 'S1234567D',
  issueDate: '2010-01-02',
  employmentIndustry: 'Science',
  employmentStatus: 'Employed',
  employmentPosition: 'Owner',
};

export const aCompany: CompanyUpdate = {
  countryOfIncorporation: 'SG',
  countryOfOperations: 'SG',
  businessType: 'Manufacturing',
  companyAddress: '1 Example Road',
  postalCode: '189890',
  state: 'Singapore',
  city: 'Singapore',
  registrationNumber: '201912345A',
  incorporationDate: '2019-01-31',
};

/** Of a person, who has no company to be completed. */
export const anIndividual = { accountType: 'individual', companyName: undefined } as const;

/** The id of the user that signed up last: from its answer, or from its notification, where the answer lacks it. */
export async function signedUpId(context: ContractContext, answer: { readonly userId?: unknown }): Promise<string> {
  if (context.setting('signup-user-id') === 'returned') return asText(answer.userId);
  const latest = (await context.events()).filter((event) => event.kind === 'user').at(-1);
  if (latest === undefined) throw new Error('no notification of a user');
  return latest.userId;
}

/** Those of a user's statuses that are notified, the sign-up's first. */
export function notifiedOf(context: ContractContext, statuses: readonly string[]): string[] {
  const decisions = ['approved', 'rejected', 'documents_need_resubmission'];
  const events = context.setting('user-events');
  if (events === 'decisions') return statuses.slice(1).filter((status) => decisions.includes(status));
  return statuses.slice(events === 'changes' ? 1 : 0);
}

/** The status of a user once the phone is known. */
export const withPhone = (status: string): string =>
  status === 'pending_phone' || status === 'pending' ? 'pending_docs' : status;

/** Signs a user up with a raw request. */
export async function aUser(
  context: ContractContext,
  differences: Readonly<Record<string, unknown>> = {},
): Promise<{ userId: string; accountId: string }> {
  const named = context.setting('signup-user-id') === 'returned';
  const allow = { without: named ? [] : ['userId'] };
  const signedUp = await context.ask('user-signup-v2', { body: { ...aSignUp, ...differences }, allow });
  const userId = await signedUpId(context, { userId: signedUp['userId'] });
  return { userId, accountId: asText((await context.ask('user-get', { params: { userId } }))['accountId']) };
}

/** A day in the format of the sandbox. */
export const dayFor = (context: ContractContext, isoDay: string): string =>
  context.setting('user-date-format') === 'YYYY-MM-DD' ? isoDay : isoDay.split('-').reverse().join('-');

/** Adds all details that a screening requires, with a raw request. */
export async function complete(context: ContractContext, userId: string): Promise<void> {
  const body = {
    ...completeDetails,
    dateOfBirth: dayFor(context, '1988-02-29'),
    issueDate: dayFor(context, '2010-01-02'),
  };
  await context.ask('user-detail-patch', { params: { userId }, body });
}

/** Sets a user's status, unless the user already has it. */
export async function beIn(context: ContractContext, userId: string, status: string): Promise<void> {
  const user = await context.ask('user-get', { params: { userId } });
  if (asText(user['status']) !== status) await context.control('force', { userId, status });
}
