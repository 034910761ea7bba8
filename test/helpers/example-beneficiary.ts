/** A beneficiary that the provider accepts, for payments in MYR. */
export const EXAMPLE_BENEFICIARY = {
  country: 'MY',
  entityType: 'individual',
  firstName: 'Aminah',
  lastName: 'Example',
  nationalIdentificationNumber: '850101145678',
  address: '1 Jalan Contoh',
  city: 'Kuala Lumpur',
  postcode: '50000',
  bankAccount: {
    country: 'MY',
    currency: 'MYR',
    bankName: 'Contoh Bank',
    bankAccountHolderName: 'Aminah Example',
    accountNumber: '112233445566',
    bicSwift: 'CONTMYKL',
  },
} as const;
