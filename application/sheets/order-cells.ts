import { rowRefOf } from '../../domain/import-profiles/row-ref-of.ts';
import type { PaymentColumn } from '../../domain/payment-file/csv-columns.ts';
import type { Cells } from '../../domain/payment-file/raw-row.ts';
import type { OrderParts } from './order-parts.ts';

/** The columns that a payment order fills. All others are the same for all of its rows, or stay empty. */
export const ORDER_COLUMNS = [
  ...['row_ref', 'amount', 'amount_side', 'sell_currency', 'buy_currency', 'payment_reference', 'purpose_of_transfer'],
  ...['payment_channel', 'pay_on', 'beneficiary_entity_type', 'beneficiary_country', 'beneficiary_company_name'],
  ...['beneficiary_address', 'beneficiary_city', 'beneficiary_postcode', 'beneficiary_state_or_province'],
  ...['beneficiary_email', 'bank_country', 'bank_currency', 'bank_name', 'bank_account_holder_name', 'bank_address'],
  ...['bank_account_number', 'bank_iban', 'bank_bic_swift', 'bank_aba', 'bank_sort_code', 'bank_bsb_code'],
  ...['bank_ifsc_code', 'bank_clabe', 'bank_cnaps', 'bank_code', 'bank_branch_code', 'bank_institution_no'],
  ...['intermediary_bank_name', 'intermediary_account_number', 'intermediary_address', 'intermediary_bic_swift'],
] as PaymentColumn[];

/**
 * The cells of a transaction, by the parts of it and of its block. What is not asked for here is not carried out, and noted. `ownRef`: for
 * a transaction that has no reference.
 */
export function cellsOfTransaction(block: OrderParts, own: OrderParts, ownRef: string): Cells {
  for (const path of IDENTIFICATIONS) own.all(path);
  return withoutEmpty({
    row_ref: referenceOf(own, ownRef),
    ...amountCells(block, own),
    payment_reference: remittanceOf(own),
    purpose_of_transfer: own.get('Purp/Cd'),
    payment_channel: channelOf(block, own),
    pay_on: dayOf(block),
    ...creditorCells(own),
    ...accountCells(own),
    ...intermediaryCells(own),
  });
}

/** Of the order itself: nothing is to be carried out. */
const IDENTIFICATIONS = ['PmtId/InstrId', 'PmtId/UETR'];

function referenceOf(own: OrderParts, ownRef: string): string {
  const [endToEnd, instruction] = [own.get('PmtId/EndToEndId'), own.get('PmtId/InstrId')];
  const isGiven = endToEnd !== '' && endToEnd !== 'NOTPROVIDED';
  return rowRefOf(isGiven ? endToEnd : instruction === '' ? ownRef : instruction);
}

function amountCells(block: OrderParts, own: OrderParts): Cells {
  const account = block.get('DbtrAcct/Ccy');
  const instructed = own.get('Amt/InstdAmt');
  if (instructed !== '') {
    const currency = own.get('Amt/InstdAmt/@Ccy');
    return { amount: instructed, amount_side: 'buy', sell_currency: account, buy_currency: currency };
  }
  return {
    amount: own.get('Amt/EqvtAmt/Amt'),
    amount_side: 'sell',
    sell_currency: own.get('Amt/EqvtAmt/Amt/@Ccy'),
    buy_currency: own.get('Amt/EqvtAmt/CcyOfTrf'),
  };
}

/** The time of a day is not asked for, so it is noted. */
function dayOf(block: OrderParts): string {
  const day = block.anyOf('ReqdExctnDt', 'ReqdExctnDt/Dt');
  return day === '' ? block.peek('ReqdExctnDt/DtTm').slice(0, 10) : day;
}

/** Free texts, then references of creditors, numbers of documents, and texts beside them. */
function remittanceOf(own: OrderParts): string {
  const free = own.all('RmtInf/Ustrd');
  const references = [
    ...own.all('RmtInf/Strd/CdtrRefInf/Ref'),
    ...own.all('RmtInf/Strd/RfrdDocInf/Nb'),
    ...own.all('RmtInf/Strd/AddtlRmtInf'),
  ];
  return [...free, ...references].join(' ');
}

/** Only where the debtor bears all charges, a channel is meant: the others leave it to the provider. */
function channelOf(block: OrderParts, own: OrderParts): string {
  const [ofBlock, ofTransaction] = [block, own].map((parts) =>
    parts.peek('ChrgBr') === 'DEBT' ? parts.get('ChrgBr') : parts.peek('ChrgBr'),
  );
  return (ofTransaction === '' ? ofBlock : ofTransaction) === 'DEBT' ? 'SWIFT-OUR' : '';
}

function creditorCells(own: OrderParts): Cells {
  const hasOrganisation = own.has('Cdtr/Id/OrgId');
  return {
    beneficiary_company_name: own.get('Cdtr/Nm'),
    beneficiary_entity_type:
      hasOrganisation === own.has('Cdtr/Id/PrvtId') ? '' : hasOrganisation ? 'company' : 'individual',
    beneficiary_country: own.anyOf('Cdtr/PstlAdr/Ctry', 'Cdtr/CtryOfRes'),
    beneficiary_address: streetOf(own, 'Cdtr/PstlAdr'),
    beneficiary_city: own.get('Cdtr/PstlAdr/TwnNm'),
    beneficiary_postcode: own.get('Cdtr/PstlAdr/PstCd'),
    beneficiary_state_or_province: own.get('Cdtr/PstlAdr/CtrySubDvsn'),
    beneficiary_email: own.get('Cdtr/CtctDtls/EmailAdr'),
  };
}

/** Street and number, with the lines of an address that is in lines. */
function streetOf(own: OrderParts, address: string): string {
  const [street, number] = [own.get(`${address}/StrtNm`), own.get(`${address}/BldgNb`)];
  const more = ['BldgNm', 'Flr', 'Room', 'PstBx'].map((part) => own.get(`${address}/${part}`));
  return filled([filled([street, number]).join(' '), ...more, ...own.all(`${address}/AdrLine`)]).join(', ');
}

function accountCells(own: OrderParts): Cells {
  const bank = 'CdtrAgt/FinInstnId';
  const iban = own.get('CdtrAcct/Id/IBAN');
  const number = own.get('CdtrAcct/Id/Othr/Id');
  const bic = bicOf(own, bank);
  const member = clearingCells(own, bank);
  const country = own.get(`${bank}/PstlAdr/Ctry`);
  const [holder, creditor] = [own.get('CdtrAcct/Nm'), own.get('Cdtr/Nm')];
  const bankCountry = filled([country, iban.slice(0, 2), member.country, bic.slice(4, 6)])[0] ?? '';
  return {
    bank_iban: iban,
    ...(bankCountry === 'MX' ? { bank_clabe: number } : { bank_account_number: number }),
    bank_currency: own.get('CdtrAcct/Ccy'),
    bank_account_holder_name: holder === '' ? creditor : holder,
    bank_bic_swift: bic,
    bank_country: bankCountry,
    bank_name: filled([own.get(`${bank}/Nm`), bic, member.id])[0] ?? '',
    bank_address: filled([streetOf(own, `${bank}/PstlAdr`), own.get(`${bank}/PstlAdr/TwnNm`)]).join(', '),
    ...member.cells,
  };
}

function bicOf(own: OrderParts, bank: string): string {
  return own.anyOf(`${bank}/BICFI`, `${bank}/BIC`);
}

/** The columns of codes of clearing systems (ISO 20022, external code list), and the countries of those systems. */
const CLEARING: Readonly<Record<string, readonly [country: string, column: PaymentColumn]>> = {
  USABA: ['US', 'bank_aba'],
  GBDSC: ['GB', 'bank_sort_code'],
  IENCC: ['IE', 'bank_sort_code'],
  AUBSB: ['AU', 'bank_bsb_code'],
  INFSC: ['IN', 'bank_ifsc_code'],
  CNAPS: ['CN', 'bank_cnaps'],
};

/** Of a Canadian bank: a zero, the institution and the branch. */
const CANADIAN = /^0(\d{3})(\d{5})$/;

/** How many digits of the code name the bank; those behind them name its branch. */
const BANK_DIGITS: Readonly<Record<string, number>> = { SGIBG: 4, JPZGN: 4 };

function clearingCells(own: OrderParts, bank: string): { id: string; country: string; cells: Cells } {
  const id = own.get(`${bank}/ClrSysMmbId/MmbId`);
  const system = own.anyOf(`${bank}/ClrSysMmbId/ClrSysId/Cd`, `${bank}/ClrSysMmbId/ClrSysId/Prtry`);
  if (id === '') return { id, country: '', cells: {} };
  const [country, column] = CLEARING[system] ?? [/^[A-Z]{5}$/.test(system) ? system.slice(0, 2) : '', 'bank_code'];
  const canadian = system === 'CACPA' ? CANADIAN.exec(id) : null;
  if (canadian !== null) {
    return { id, country, cells: { bank_institution_no: canadian[1], bank_branch_code: canadian[2] } };
  }
  const digits = BANK_DIGITS[system] ?? id.length;
  return { id, country, cells: { [column]: id.slice(0, digits), bank_branch_code: id.slice(digits) } };
}

function intermediaryCells(own: OrderParts): Cells {
  const bank = 'IntrmyAgt1/FinInstnId';
  const bic = bicOf(own, bank);
  const name = own.get(`${bank}/Nm`);
  const address = filled([
    streetOf(own, `${bank}/PstlAdr`),
    own.get(`${bank}/PstlAdr/TwnNm`),
    own.get(`${bank}/PstlAdr/Ctry`),
  ]);
  return {
    intermediary_bank_name: name === '' ? bic : name,
    intermediary_bic_swift: bic,
    intermediary_address: address.join(', '),
    intermediary_account_number: own.anyOf('IntrmyAgt1Acct/Id/IBAN', 'IntrmyAgt1Acct/Id/Othr/Id'),
  };
}

function filled(texts: readonly string[]): string[] {
  return texts.filter((text) => text !== '');
}

function withoutEmpty(cells: Cells): Cells {
  return Object.fromEntries(Object.entries(cells).filter(([, text]) => text !== ''));
}
