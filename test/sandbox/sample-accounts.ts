/** Valid bank details by corridor: published examples of registries and banks, none of them a real account. */
export const sampleIbans: readonly string[] = [
  'AE070331234567890123456',
  'AT611904300234573201',
  'BE68539007547034',
  'BH67BMAG00001299123456',
  'CH9300762011623852957',
  'CY17002001280000001200527600',
  'DE89370400440532013000',
  'DK5000400440116243',
  'EE382200221020145685',
  'ES9121000418450200051332',
  'FI2112345600000785',
  'FR1420041010050500013M02606',
  'GB29NWBK60161331926819',
  'GR1601101250000000012300695',
  'HR1210010051863000160',
  'IE29AIBK93115212345678',
  'IT60X0542811101000000123456',
  'KW81CBKU0000000000001234560101',
  'LT121000011101001000',
  'LU280019400644750000',
  'LV80BANK0000435195001',
  'MT84MALT011000012345MTLCAST001S',
  'NL91ABNA0417164300',
  'NO9386011117947',
  'PL61109010140000071219812874',
  'PT50000201231234567890154',
  'SE4550000000058398257466',
  'SI56263300012039086',
  'SK3112000000198742637541',
];

const ibanByCountry = new Map(sampleIbans.map((iban) => [iban.slice(0, 2), iban]));

/** Codes of local clearing, by country of the bank. */
const localCodes: Readonly<Record<string, Record<string, string>>> = {
  AU: { bsbCode: '082902', accountNumber: '123456782' },
  BR: { bankCode: '001', branchCode: '3020', accountNumber: '123456X' },
  CA: { institutionNo: '003', branchCode: '00012', accountNumber: '1234567' },
  CN: { cnaps: '102100099996', accountNumber: '6222020200112233' },
  GB: { sortCode: '601613', accountNumber: '31926819' },
  HK: { bankCode: '004', accountNumber: '123456789' },
  ID: { bicSwift: 'CENAIDJA', accountNumber: '1234567890' },
  IN: { ifscCode: 'HDFC0000001', accountNumber: '50100012345678' },
  JP: { bankCode: '0001', branchCode: '001', accountNumber: '1234567' },
  KR: { bankCode: '088', accountNumber: '110123456789' },
  MX: { clabe: '032180000118359719' },
  MY: { bicSwift: 'MBBEMYKL', accountNumber: '514012345678' },
  NZ: { accountNumber: '010902006849400' },
  PH: { bicSwift: 'BOPIPHMM', accountNumber: '1234567890' },
  SG: { bicSwift: 'DBSSSGSG', accountNumber: '0039012345' },
  TH: { bicSwift: 'KASITHBK', accountNumber: '1234567890' },
  US: { aba: '021000021', accountNumber: '123456789' },
  VN: { bicSwift: 'BFTVVNVX', accountNumber: '0011001234567' },
};

/** Bank codes that are valid for a corridor. */
export function sampleCodes(bankCountry: string, network: 'LOCAL' | 'SWIFT'): Record<string, string> {
  const iban = ibanByCountry.get(bankCountry);
  const local = localCodes[bankCountry];
  if (network === 'LOCAL') return local ?? { iban: iban ?? '' };
  return { bicSwift: `TEST${bankCountry}2L`, ...(iban ? { iban } : { accountNumber: '1234567890' }) };
}

const addresses: Readonly<Record<string, Record<string, string>>> = {
  US: { city: 'Austin', stateOrProvince: 'TX', postcode: '73301' },
  CA: { city: 'Toronto', stateOrProvince: 'ON', postcode: 'M5V 3L9' },
  ID: { city: 'Surabaya', region: 'Jawa Timur' },
  IN: { city: 'Mumbai', postcode: '400001' },
};

const registrations: Readonly<Record<string, string>> = {
  BR: '11222333000181',
  CN: '91350100M000100Y43',
  ID: '9120001234567',
};

/** A company that a corridor of its own country can pay. */
export const aCompanyIn = (
  country: string,
  bankAccount: { currency: string; country: string } & Record<string, string>,
): Record<string, unknown> => ({
  country,
  entityType: 'company',
  companyName: 'Example Supplies',
  businessRegistration: registrations[country] ?? 'REG-12345',
  address: '1 Market Street',
  city: 'Capital',
  ...addresses[country],
  bankAccount: { bankName: 'Example Bank', bankAccountHolderName: 'Example Supplies', ...bankAccount },
});
