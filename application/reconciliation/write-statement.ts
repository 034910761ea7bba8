import { create } from 'xmlbuilder2';
import { contentSha256 } from '../../domain/sha256.ts';
import { subtractAmounts } from '../../domain/money.ts';
import type { DayOfBooks } from '../../domain/reconciliation/compute-day.ts';
import type { ClassLine } from '../../domain/reconciliation/entry-class.ts';
import { dateOf, type Movement } from '../../domain/reconciliation/movement.ts';

export interface Statement {
  readonly account: string;
  readonly books: Pick<DayOfBooks<Movement>, 'currency' | 'day' | 'opening' | 'closing' | 'entries' | 'historyHash'>;
  /** The classes of its entries. */
  readonly lines: readonly ClassLine[];
  readonly madeAt: Date;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';

/** The lengths that the schema allows (Max35Text, Max34Text, Max500Text). */
const MAX_ID = 35;
const MAX_ACCOUNT = 34;
const MAX_INFORMATION = 500;

/**
 * The books of one currency and day as a bank statement, ISO 20022 camt.053.001.08. An entry with a fee has one transaction for
 * the amount and one for the fee. Its full id is in the additional information, as references have 35 characters.
 */
export function writeStatement({ account, books, lines, madeAt }: Statement): string {
  const { currency, day, opening, closing, entries } = books;
  const madeAtText = madeAt.toISOString();
  const id = `${day.replaceAll('-', '')}-${currency}-${contentSha256(account).slice(0, 8)}`;
  const partsOf = new Map<string, ClassLine[]>();
  for (const line of lines) {
    if (line.movement.currency !== currency) continue;
    const { entryId } = line.movement;
    const parts = partsOf.get(entryId);
    if (parts === undefined) partsOf.set(entryId, [line]);
    else parts.push(line);
  }
  const document = {
    Document: {
      '@xmlns': NAMESPACE,
      BkToCstmrStmt: {
        GrpHdr: { MsgId: id, CreDtTm: madeAtText },
        Stmt: {
          Id: id,
          CreDtTm: madeAtText,
          FrToDt: { FrDtTm: `${day}T00:00:00.000Z`, ToDtTm: `${day}T23:59:59.999Z` },
          Acct: { Id: { Othr: { Id: shortened(account, MAX_ACCOUNT) } }, Ccy: currency },
          Bal: [balance('OPBD', opening, currency, day), balance('CLBD', closing, currency, day)],
          Ntry: entries.map((entry, index) => statementEntry(entry, partsOf.get(entry.entryId) ?? [], index + 1, day)),
          AddtlStmtInf: `payrun, history SHA-256 ${books.historyHash}`,
        },
      },
    },
  };
  // The provider's texts may contain characters that XML does not allow.
  return create({ version: '1.0', encoding: 'UTF-8', invalidCharReplacement: '\ufffd' }, document).end({
    prettyPrint: true,
  });
}

type Element = Readonly<Record<string, unknown>>;

function balance(code: 'OPBD' | 'CLBD', amount: string, currency: string, day: string): Element {
  return { Tp: { CdOrPrtry: { Cd: code } }, ...money(amount, currency), Dt: { Dt: day } };
}

/** Amounts have no sign: the indicator has it. Zero is a credit. */
function money(amount: string, currency: string): Element {
  const isDebit = amount.startsWith('-');
  return {
    Amt: { '@Ccy': currency, '#': isDebit ? amount.slice(1) : amount },
    CdtDbtInd: isDebit ? 'DBIT' : 'CRDT',
  };
}

function statementEntry(entry: Movement, parts: readonly ClassLine[], number: number, day: string): Element {
  const change = subtractAmounts(entry.amountAfter, entry.amountBefore);
  const dateMs = dateOf(entry);
  const [first] = parts;
  return {
    NtryRef: number,
    ...money(change, entry.currency),
    Sts: { Cd: 'BOOK' },
    BookgDt: { Dt: day },
    ValDt: dateMs === null ? { Dt: day } : { DtTm: new Date(dateMs).toISOString() },
    AcctSvcrRef: shortened(entry.entryId, MAX_ID),
    BkTxCd: { Prtry: { Cd: first?.entryClass ?? 'unexplained', Issr: 'payrun' } },
    ...(parts.length === 0 ? {} : { NtryDtls: { TxDtls: parts.map(transaction) } }),
    AddtlNtryInf: Array.from(information(entry)).slice(0, MAX_INFORMATION).join(''),
  };
}

function transaction({ movement, entryClass, amount, factId }: ClassLine): Element {
  return {
    Refs: {
      ...(movement.transactionId === null ? {} : { AcctSvcrRef: shortened(movement.transactionId, MAX_ID) }),
      ...(factId === null ? {} : { EndToEndId: shortened(factId, MAX_ID) }),
    },
    ...money(amount, movement.currency),
    BkTxCd: { Prtry: { Cd: entryClass, Issr: 'payrun' } },
  };
}

function information({ entryId, type }: Movement): string {
  return type === '' ? entryId : `${entryId} ${type}`;
}

/** Longer ones end with a hash, so that different ids stay different. Hyphens of a UUID are left out. */
function shortened(id: string, length: number): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return id.replaceAll('-', '');
  const characters = Array.from(id);
  if (characters.length <= length) return id;
  return `${characters.slice(0, length - 13).join('')}-${contentSha256(id).slice(0, 12)}`;
}
