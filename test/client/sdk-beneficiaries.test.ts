import { expect, it } from 'vitest';
import { FileRefusedError } from '../../client/sdk/index.ts';
import { aBookAccount } from '../server/fake-beneficiaries.ts';
import { aClient } from './sdk-harness.ts';

const LINE = {
  ...{ beneficiary_key: 'S-1', beneficiary_entity_type: 'company', beneficiary_country: 'DE' },
  ...{ beneficiary_company_name: 'Nordlicht GmbH', bank_country: 'DE', bank_currency: 'EUR', bank_name: 'Hansebank' },
  ...{ bank_account_holder_name: 'Nordlicht GmbH', bank_iban: 'DE89370400440532013000' },
};

it('a program adds rows to the book as JSON, and confirms what it has read', async () => {
  const { application, client } = await aClient('checker');
  const sheet = { fileName: 'rows.json', file: JSON.stringify([LINE]) };
  expect(await client.addBeneficiaries({ ...sheet, account: 'asia', source: 'by_hand' })).toEqual({
    added: 1,
    known: 0,
  });
  expect(application.bookCalls).toEqual([{ account: 'asia', source: 'by_hand' }]);
  application.book = [{ key: 'S-1', names: ['Nordlicht GmbH'], accounts: [aBookAccount()] }];
  const { account, beneficiaries } = await client.listBeneficiaries({ key: 'S-1' });
  const accounts = beneficiaries.flatMap((each) => each.accounts).map(({ id, hash }) => ({ id, hash }));
  expect(await client.confirmBeneficiaries({ account, accounts, called: null, note: 'the contract' })).toEqual({
    confirmed: 1,
    released: 0,
  });
});

it('what is wrong with a sheet for the book is in the error', async () => {
  const { application, client } = await aClient('maker');
  const wrong = { fileName: 'rows.json', file: JSON.stringify([{ ...LINE, bank_iban: 'DE00370400440532013000' }]) };
  const error = await client.addBeneficiaries(wrong).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(FileRefusedError);
  expect(error).toMatchObject({ problemCount: 1, problems: [{ column: 'bank_iban' }] });
  expect(application.addedLines).toEqual([]);
});
