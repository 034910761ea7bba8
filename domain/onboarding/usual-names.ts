import type { ApplicantKey } from './applicant-fields.ts';

/** Other usual names of fields, without blanks, hyphens and underscores, as exports of other programs have them. */
const USUAL_NAMES: Readonly<Record<string, ApplicantKey>> = {
  address: 'residential_address',
  street: 'residential_address',
  birthdate: 'date_of_birth',
  birthday: 'date_of_birth',
  dob: 'date_of_birth',
  birthplace: 'country_of_birth',
  citizenship: 'nationality',
  country: 'country_of_residence',
  emailaddress: 'email',
  mail: 'email',
  mailaddress: 'email',
  familyname: 'last_name',
  lastname: 'last_name',
  surname: 'last_name',
  firstname: 'first_name',
  forename: 'first_name',
  givenname: 'first_name',
  maidenname: 'former_name',
  idnumber: 'identification_number',
  passportnumber: 'identification_number',
  idtype: 'identification_type',
  job: 'occupation',
  profession: 'occupation',
  mobile: 'mobile_number',
  phone: 'mobile_number',
  phonenumber: 'mobile_number',
  telephone: 'mobile_number',
  diallingcode: 'mobile_country_code',
  phonecode: 'mobile_country_code',
  postcode: 'postal_code',
  zip: 'postal_code',
  zipcode: 'postal_code',
  province: 'state',
  region: 'state',
  reference: 'applicant_ref',
  ref: 'applicant_ref',
  sex: 'gender',
  town: 'city',
  userid: 'provider_user_id',
};

/** The field that is usually called so, or null. */
export function usualName(name: string): ApplicantKey | null {
  return USUAL_NAMES[name.toLowerCase().replace(/[\s_-]+/g, '')] ?? null;
}
