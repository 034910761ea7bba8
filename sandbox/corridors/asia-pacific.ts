import { bicPattern, type Corridor, local } from './corridor.ts';

/** For countries whose local clearing identifies banks by BIC. */
const byBic = (currency: string, country: string, accountNumber: string): Corridor =>
  local(currency, country, { bicSwift: bicPattern(country), accountNumber });

export const asiaPacific: readonly Corridor[] = [
  local('AUD', 'AU', { bsbCode: '^[0-9]{6}$', accountNumber: '^[0-9]{5,10}$' }),
  local('CNY', 'CN', { cnaps: '^[0-9]{12}$', accountNumber: '^[0-9]{10,25}$' }),
  local('HKD', 'HK', { bankCode: '^[0-9]{3}$', accountNumber: '^[0-9]{6,12}$' }),
  byBic('IDR', 'ID', '^[0-9]{6,16}$'),
  local('INR', 'IN', { ifscCode: '^[A-Z]{4}0[A-Z0-9]{6}$', accountNumber: '^[0-9]{9,18}$' }),
  local('JPY', 'JP', { bankCode: '^[0-9]{4}$', branchCode: '^[0-9]{3}$', accountNumber: '^[0-9]{7}$' }),
  local('KRW', 'KR', { bankCode: '^[0-9]{3}$', accountNumber: '^[0-9]{10,14}$' }),
  byBic('MYR', 'MY', '^[0-9]{7,17}$'),
  local('NZD', 'NZ', { accountNumber: '^[0-9]{15,16}$' }),
  byBic('PHP', 'PH', '^[0-9]{6,16}$'),
  byBic('SGD', 'SG', '^[0-9]{6,14}$'),
  byBic('THB', 'TH', '^[0-9]{10,15}$'),
  byBic('VND', 'VN', '^[0-9]{6,19}$'),
];
