import { type Corridor, local } from './corridor.ts';

export const americas: readonly Corridor[] = [
  local('USD', 'US', { aba: '^[0-9]{9}$', accountNumber: '^[0-9]{4,17}$' }),
  local('CAD', 'CA', { institutionNo: '^[0-9]{3}$', branchCode: '^[0-9]{5}$', accountNumber: '^[0-9]{7,12}$' }),
  local('MXN', 'MX', { clabe: '^[0-9]{18}$' }),
  local('BRL', 'BR', { bankCode: '^[0-9]{3}$', branchCode: '^[0-9]{4}$', accountNumber: '^[0-9]{5,12}[0-9X]$' }),
];
