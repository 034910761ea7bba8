import type { HeaderWords } from './header-words.ts';

/** Headers of columns that describe the bank account of the beneficiary. Sources: as in header-words-payment.ts. */
export const BANK_HEADERS: readonly HeaderWords[] = [
  {
    column: 'bank_iban',
    words: {
      en: 'iban,iban number,iban code,iban no,account iban,beneficiary iban,recipient iban,supplier iban',
      de: 'iban nr,iban nr 1,iban empfänger,beg zahlpfl konto nr bzw iban',
      fr: 'code iban,iban bénéficiaire,iban du bénéficiaire',
      es: 'código iban,cuenta iban,iban beneficiario',
      it: 'codice iban,iban fornitore',
      nl: 'iban begunstigde,iban rekening',
      pl: 'numer iban,nr iban',
      pt: 'código iban,nib iban',
    },
  },
  {
    column: 'bank_bic_swift',
    words: {
      en: 'bic,swift,bic swift,swift bic,swift code,bic code,swift bic code,bic swift code,bank identifier code,beneficiary bic,swift code 1',
      de: 'bic empfänger,beg zahlpfl blz bzw bic,bic nr',
      fr: 'code bic,code swift,bic bénéficiaire',
      es: 'código bic,código swift',
      it: 'codice bic,codice swift',
      nl: 'bic begunstigde',
      pl: 'kod bic,kod swift',
      pt: 'código de swift',
    },
  },
  {
    column: 'bank_account_number',
    words: {
      en: 'account,acct,account number,account no,bank account,bank account number,bank account no,acct no,acc no,acct number,beneficiary account,beneficiary account number,recipient account number',
      de: 'kontonummer,kontonr,konto nr,bankkonto,bankkonto nummer,bankkonto nummer 1,bankverbindung',
      fr: 'numéro de compte,n° de compte,compte bancaire,rib',
      es: 'número de cuenta,nº de cuenta,cuenta bancaria,ccc',
      it: 'numero conto,numero di conto,conto corrente,conto bancario',
      nl: 'rekeningnummer,bankrekening,bankrekeningnummer',
      pl: 'numer rachunku,nr rachunku,numer konta,nr konta,rachunek,rachunek bankowy,numer rachunku bankowego,rachunek odbiorcy',
      pt: 'número da conta,número de conta,conta bancária,nib',
    },
  },
  {
    column: 'bank_sort_code',
    words: { en: 'sort code,sortcode,bank sort code,sc,sort code bsb,beneficiary sort code' },
  },
  {
    column: 'bank_aba',
    words: {
      en: 'routing,routing number,routing no,aba,aba number,aba routing number,aba code,ach routing number,rtn,routing transit number,fedwire',
    },
  },
  { column: 'bank_bsb_code', words: { en: 'bsb,bsb code,bsb number,bank bsb' } },
  { column: 'bank_ifsc_code', words: { en: 'ifsc,ifsc code' } },
  { column: 'bank_clabe', words: { es: 'clabe,clabe interbancaria,cuenta clabe' } },
  { column: 'bank_cnaps', words: { en: 'cnaps,cnaps code' } },
  {
    column: 'bank_code',
    words: {
      en: 'bank code,bank key,bank number',
      de: 'blz,bankleitzahl,bankleitzahl 1,bankschlüssel',
      fr: 'code banque',
      es: 'código de banco',
      it: 'codice banca,abi',
      nl: 'bankcode',
      pl: 'kod banku',
      pt: 'código do banco',
    },
  },
  {
    column: 'bank_branch_code',
    words: { en: 'branch code,transit number', fr: 'code guichet', es: 'código de sucursal', it: 'cab', pt: 'agência' },
  },
  { column: 'bank_institution_no', words: { en: 'institution number,institution no' } },
  {
    column: 'bank_name',
    words: {
      en: 'bank name,name of bank,beneficiary bank,beneficiary bank name,recipient bank,recipient bank name',
      de: 'bankname,bankbezeichnung,bankbezeichnung 1,name der bank,kreditinstitut,geldinstitut',
      fr: 'nom de la banque,nom banque,domiciliation',
      es: 'nombre del banco,entidad bancaria',
      it: 'nome banca,istituto,istituto bancario',
      nl: 'naam bank,banknaam',
      pl: 'nazwa banku',
      pt: 'nome do banco',
    },
  },
  {
    column: 'bank_name',
    onlyAlone: true,
    words: { en: 'bank', fr: 'banque', es: 'banco', it: 'banca' },
  },
  {
    column: 'bank_country',
    words: {
      en: 'bank country,country of bank,recipient bank country,beneficiary bank country,bank country code',
      de: 'bankland,land der bank,bank land,länderkennzeichen 1',
      fr: 'pays de la banque,pays banque',
      es: 'país del banco',
      it: 'paese banca,paese della banca',
      nl: 'land van de bank',
      pl: 'kraj banku',
      pt: 'país do banco',
    },
  },
  {
    column: 'bank_address',
    words: { en: 'bank address,address of bank', de: 'bankadresse', fr: 'adresse de la banque', pl: 'adres banku' },
  },
  { column: 'intermediary_bic_swift', words: { en: 'intermediary bic,intermediary swift,correspondent bic' } },
  { column: 'intermediary_bank_name', words: { en: 'intermediary bank,correspondent bank' } },
];
