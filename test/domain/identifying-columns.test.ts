import { expect, it } from 'vitest';
import { CSV_COLUMNS, identifiesAccount, identifiesPayments } from '../../domain/payment-file/csv-columns.ts';

it('counts references, amounts, accounts, bank codes and names as what tells payments apart, and nothing that they share', () => {
  const shared = CSV_COLUMNS.map(({ name }) => name).filter((name) => !identifiesPayments(name));
  expect(shared).toEqual([
    ...['amount_side', 'sell_currency', 'buy_currency', 'purpose_of_transfer', 'purpose_description'],
    ...['funding_source', 'funding_method', 'funding_bank_account_number', 'funding_country', 'payment_channel'],
    ...['sender_user_id', 'pay_on', 'echo', 'beneficiary_entity_type', 'beneficiary_country', 'beneficiary_city'],
    ...['beneficiary_postcode', 'beneficiary_state_or_province', 'beneficiary_region', 'beneficiary_relationship'],
    ...['beneficiary_type', 'bank_country', 'bank_currency', 'bank_name', 'bank_address'],
    ...['intermediary_bank_name', 'intermediary_address', 'intermediary_bic_swift'],
  ]);
});

it('counts what tells banks and accounts apart as what says which account is paid', () => {
  const ofBanks = CSV_COLUMNS.map(({ name }) => name).filter(
    (name) => /^(?:bank|intermediary)_/.test(name) && identifiesPayments(name),
  );
  expect(CSV_COLUMNS.map(({ name }) => name).filter(identifiesAccount)).toEqual([
    ...['beneficiary_id', 'beneficiary_key', ...ofBanks, 'intermediary_bic_swift'],
  ]);
  expect(['bank_country', 'bank_name', 'amount', 'buy_currency'].filter(identifiesAccount)).toEqual([]);
});
