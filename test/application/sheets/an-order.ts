export interface OrderOptions {
  version?: '03' | '09';
  blocks?: { id?: string; head?: string; transactions?: string[]; count?: string; sum?: string; method?: string }[];
  /** Of the header. */
  count?: string;
  sum?: string;
}

/** A payment order, valid unless an option makes it wrong. */
export function anOrder({ version = '03', blocks = [{}], count, sum }: OrderOptions = {}): Buffer {
  const body = blocks.map((block, index) => blockOf(version, block, `BLOCK-${index + 1}`)).join('');
  const transactions = body.split('<CdtTrfTxInf>').length - 1;
  const xml =
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.${version}"><CstmrCdtTrfInitn><GrpHdr><MsgId>M</MsgId>` +
    `<CreDtTm>2026-12-01T08:00:00</CreDtTm><NbOfTxs>${count ?? transactions}</NbOfTxs>${sumOf(sum)}` +
    `<InitgPty><Nm>N</Nm></InitgPty></GrpHdr>${body}</CstmrCdtTrfInitn></Document>`;
  return Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>\n${xml}`);
}

function blockOf(version: string, block: NonNullable<OrderOptions['blocks']>[number], name: string): string {
  const { id = name, head = '', transactions = [aTransaction()], count, sum, method = 'TRF' } = block;
  const [date, bic] = version === '03' ? ['2026-12-03', 'BIC'] : ['<Dt>2026-12-03</Dt>', 'BICFI'];
  return (
    `<PmtInf><PmtInfId>${id}</PmtInfId><PmtMtd>${method}</PmtMtd>${count === undefined ? '' : `<NbOfTxs>${count}</NbOfTxs>`}` +
    `${sumOf(sum)}${head}<ReqdExctnDt>${date}</ReqdExctnDt><Dbtr><Nm>D</Nm></Dbtr><DbtrAcct><Id><IBAN>CH9300762011623852957</IBAN></Id>` +
    `<Ccy>USD</Ccy></DbtrAcct><DbtrAgt><FinInstnId><${bic}>POFICHBEXXX</${bic}></FinInstnId></DbtrAgt>${transactions.join('')}</PmtInf>`
  );
}

function sumOf(sum: string | undefined): string {
  return sum === undefined ? '' : `<CtrlSum>${sum}</CtrlSum>`;
}

export interface TransactionOptions {
  ref?: string;
  amount?: string;
  /** Elements between the amount and the creditor's bank, and at the end. */
  before?: string;
  after?: string;
}

export function aTransaction({
  ref = 'REF-1',
  amount = '10.50',
  before = '',
  after = '',
}: TransactionOptions = {}): string {
  return (
    `<CdtTrfTxInf><PmtId><EndToEndId>${ref}</EndToEndId></PmtId><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt>${before}` +
    '<CdtrAgt><FinInstnId><Nm>Bank</Nm></FinInstnId></CdtrAgt><Cdtr><Nm>Nordlicht Werkzeuge GmbH</Nm><PstlAdr>' +
    '<StrtNm>Hafenstrasse</StrtNm><BldgNb>12</BldgNb><PstCd>20457</PstCd><TwnNm>Hamburg</TwnNm><Ctry>DE</Ctry></PstlAdr></Cdtr>' +
    `<CdtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></CdtrAcct>${after}</CdtTrfTxInf>`
  );
}
