import { asText, type Answer, type Caller } from './a-sandbox.ts';

export const aSignUp = {
  firstName: 'Mei',
  lastName: 'Tan',
  email: 'mei@example.com',
  countryCode: 'SG',
  accountType: 'company',
  companyName: 'Tan Trading',
};

/** Everything that a screening requires of a person. */
export const allDetails = {
  mobileCountryCode: '+65',
  mobileNumber: '81234567',
  gender: 'female',
  countryOfBirth: 'Singapore',
  nationality: 'SG',
  countryOfResidence: 'SG',
  residentialAddress: '1 Example Road',
  countryCode: 'SG',
  postalCode: '018956',
  dateOfBirth: '29-02-1988',
  identificationType: 'nric',
  identificationNumber: 'S0000000X',
  issueDate: '01-03-2010',
  employmentIndustry: 'Banking/Finance/Insurance',
  employmentStatus: 'Employed',
  employmentPosition: 'Owner',
};

export const aCompany = {
  countryOfIncorporation: 'SG',
  countryOfOperations: 'SG',
  businessType: 'Banking/Financial/Insurance',
  companyAddress: '1 Example Road',
  postalCode: 18956,
  state: 'Central',
  city: 'Singapore',
  registrationNumber: '200000000X',
  incorporationDate: '31-12-2001',
};

/** Signs a company up, with some fields changed; the sandbox must answer the id. */
export async function aUser(caller: Caller, differences: Record<string, unknown> = {}): Promise<string> {
  return asText((await caller.post('/v2/signup', { ...aSignUp, ...differences })).body['userId']);
}

/** An individual whose details are complete, with some fields of the sign-up changed. */
export async function aCompleteUser(caller: Caller, differences: Record<string, unknown> = {}): Promise<string> {
  const userId = await aUser(caller, { accountType: 'individual', ...differences });
  await patchDetails(caller, userId, allDetails);
  return userId;
}

export const patchDetails = (caller: Caller, userId: string, details: unknown): Promise<Answer> =>
  caller.send('PATCH', `/v2/users/${userId}/detail`, details);

export const screen = (caller: Caller, userId: string): Promise<Answer> =>
  caller.send('POST', `/v2/users/${userId}/screen`, undefined);

export const statusOf = async (caller: Caller, userId: string): Promise<unknown> =>
  (await caller.get(`/v2/users/${userId}`)).body['status'];
