import type { SheetRecord } from '../../domain/import-profiles/sheet-record.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';
import { cellsOfTransaction, ORDER_COLUMNS } from './order-cells.ts';
import { OrderNamespace } from './order-namespace.ts';
import { OrderParts } from './order-parts.ts';
import { noTransfers, otherOrder, unclearOrder } from './order-problems.ts';
import { OrderSums } from './order-sums.ts';
import type { SheetLimits } from './sheet.ts';
import type { XmlEvents } from './xml-reader.ts';

/** More blocks, or texts of a transaction, no program writes. */
const MOST_BLOCKS = 10_000;
const MOST_TEXTS = 2_000;
/** So many parts that are not carried out are named. */
const MOST_NOTED = 50;

/** How many elements an order, a block and a transaction are in, with themselves. */
const ORDER = 2;
const BLOCK = 3;
const TRANSACTION = 4;

const AMOUNT = /^\d{1,18}(?:\.\d{1,18})?$/;

/**
 * Reads a payment order, checks its counts and sums, and gives the transactions of one of its blocks of payment information as rows.
 * Holds the transaction that it is in, and of the blocks their identifications.
 */
export class OrderReader implements XmlEvents {
  /** How many transactions each block has. */
  readonly blocks = new Map<string, number>();
  /** What payrun does not carry out: the first transaction that has it, and how many do. */
  readonly notCarriedOut = new Map<string, { line: number; count: number }>();
  readonly #namespace = new OrderNamespace();
  readonly #limits: SheetLimits;
  readonly #wanted: string | null;
  readonly #path: string[] = [];
  #text = '';
  /** Whether the element has others in it. */
  #isGroup = false;
  readonly #order = { parts: new OrderParts(0), sums: new OrderSums() };
  #block = { parts: new OrderParts(0), sums: new OrderSums() };
  #transaction: OrderParts | null = null;
  /** Of the header, the block or the transaction. */
  #texts = 0;
  #records: SheetRecord[] = [];

  /** `wanted`: the block whose transactions are given; null: of none. */
  constructor(limits: SheetLimits, wanted: string | null) {
    this.#limits = limits;
    this.#wanted = wanted;
  }

  /** The rows so far, with the number of each transaction within the order. */
  take(): SheetRecord[] {
    return this.#records.splice(0);
  }

  open(name: string, attributes: Record<string, string>, prefix: string): void {
    this.#refuseText();
    this.#path.push(name);
    this.#namespace.check(this.#path, attributes, prefix);
    this.#isGroup = false;
    const depth = this.#path.length;
    if (depth === ORDER && name !== 'CstmrCdtTrfInitn') throw otherOrder(`its message is ${name.slice(0, 40)}`);
    if (this.#isBlock()) this.#openBlock();
    if (this.#isTransaction()) {
      this.#texts = 0;
      this.#transaction = new OrderParts(this.#order.sums.count + 1);
    }
    if (attributes.Ccy !== undefined) this.#add(attributes.Ccy, '/@Ccy');
  }

  text(text: string): void {
    this.#text += text;
    if (this.#text.length > 2 * this.#limits.cellCharacters) throw this.#tooLong();
  }

  close(): void {
    if (this.#isGroup) this.#refuseText();
    const text = this.#text.trim();
    if (text.length > this.#limits.cellCharacters) throw this.#tooLong();
    if (text !== '') this.#add(text);
    this.#text = '';
    if (this.#isTransaction()) this.#closeTransaction();
    if (this.#isBlock()) this.#closeBlock();
    if (this.#path.length === ORDER) this.#closeOrder();
    this.#path.pop();
    this.#isGroup = true;
  }

  #isBlock(): boolean {
    return this.#path.length === BLOCK && this.#path[BLOCK - 1] === 'PmtInf';
  }

  #isTransaction(): boolean {
    const [block, transaction] = this.#path.slice(BLOCK - 1);
    return this.#path.length === TRANSACTION && block === 'PmtInf' && transaction === 'CdtTrfTxInf';
  }

  #refuseText(): void {
    if (this.#text.trim() !== '') throw unclearOrder(this.#order.sums.count, 'has a text between its elements');
    this.#text = '';
  }

  #add(text: string, attribute = ''): void {
    const place = (depth: number) => this.#path.slice(depth).join('/') + attribute;
    this.#texts += 1;
    if (this.#texts > MOST_TEXTS) throw unclearOrder(this.#order.sums.count, 'has more parts than payrun reads');
    if (this.#transaction !== null) this.#transaction.add(place(TRANSACTION), text);
    else if (this.#path[BLOCK - 1] !== 'PmtInf') this.#order.parts.add(place(ORDER), text);
    // What is behind a transaction was not known when it was read.
    else if (this.#block.sums.count === 0) this.#block.parts.add(place(BLOCK), text);
    else throw unclearOrder(this.#order.sums.count, 'is followed by parts of its block');
  }

  #openBlock(): void {
    if (this.blocks.size === MOST_BLOCKS) throw unclearOrder(0, `has more than ${MOST_BLOCKS} blocks`);
    this.#texts = 0;
    this.#block = { parts: new OrderParts(0), sums: new OrderSums() };
  }

  #closeTransaction(): void {
    const own = this.#transaction ?? new OrderParts(0);
    this.#transaction = null;
    const line = this.#order.sums.count + 1;
    const amount = own.all('Amt/InstdAmt').concat(own.all('Amt/EqvtAmt/Amt'));
    // guard: order-amount
    if (amount.length !== 1 || !AMOUNT.test(amount[0] ?? '')) throw unclearOrder(line, 'has not one amount');
    for (const sums of [this.#order.sums, this.#block.sums]) sums.add(amount[0] ?? '');
    const block = this.#block.parts.peek('PmtInfId');
    if (this.#wanted === null || block !== this.#wanted) return;
    if (own.has('ChqInstr')) throw noTransfers(`transaction ${line}`, 'a cheque');
    const number = this.#block.sums.count;
    if (number > this.#limits.rows) throw tooManyRows(line, this.#limits.rows);
    const cells = cellsOfTransaction(this.#block.parts, own, `${block}-${number}`);
    this.#records.push({ line, cells: ORDER_COLUMNS.map((column) => cells[column] ?? '') });
    this.#note(own, line);
  }

  #closeBlock(): void {
    const { parts, sums } = this.#block;
    const id = parts.get('PmtInfId');
    if (id === '') throw unclearOrder(0, 'has a block without an identification (PmtInfId)');
    const block = `block "${id.slice(0, 80)}"`;
    // guard: block-once
    if (this.blocks.has(id)) throw unclearOrder(0, `has ${block} twice`);
    const method = parts.get('PmtMtd');
    // With an advice of the debit or without one.
    // guard: transfers-alone (2 lines)
    if (method !== 'TRF' && method !== 'TRA')
      throw noTransfers(block, method === 'CHK' ? 'cheques' : `by "${method.slice(0, 20)}" (PmtMtd)`);
    sums.check(block, parts, { count: 'NbOfTxs', sum: 'CtrlSum' });
    this.blocks.set(id, sums.count);
    if (method === 'TRA') parts.add('PmtMtd/TRA', method);
    if (id === this.#wanted) this.#note(parts, 0);
  }

  #closeOrder(): void {
    const { parts, sums } = this.#order;
    sums.check('the order', parts, { count: 'GrpHdr/NbOfTxs', sum: 'GrpHdr/CtrlSum' });
    this.#note(parts, 0);
  }

  #note(parts: OrderParts, line: number): void {
    for (const found of new Set(parts.unused().flatMap(notedName))) {
      const name = this.notCarriedOut.has(found) || this.notCarriedOut.size < MOST_NOTED ? found : 'others';
      const known = this.notCarriedOut.get(name);
      if (known === undefined) this.notCarriedOut.set(name, { line, count: 1 });
      else known.count += 1;
    }
  }

  #tooLong(): UnreadableFile {
    const { cellCharacters } = this.#limits;
    return new UnreadableFile(
      { line: this.#order.sums.count + 1, column: (this.#path.at(-1) ?? '').slice(0, 80) },
      'cell_too_long',
      `a text of the order is longer than ${cellCharacters} characters`,
      'shorten it',
    );
  }
}

/** Who made the order and when: nothing is to be carried out. */
const OF_THE_ORDER = /^GrpHdr\/(?:MsgId|CreDtTm|InitgPty)/;
/** Elements of which a part is read, so that the others are named with it. */
const PARTLY_READ = /^(?:GrpHdr|PmtId|Amt|Purp|RmtInf|Cdtr|CdtrAcct|CdtrAgt|IntrmyAgt1|IntrmyAgt1Acct|PmtTpInf)\//;
/** Payrun pays from the account with the provider, whoever the debtor is. */
const OF_THE_DEBTOR = /^Dbtr/;

function notedName(path: string): string[] {
  if (OF_THE_ORDER.test(path)) return [];
  if (OF_THE_DEBTOR.test(path)) return ['Dbtr'];
  return [PARTLY_READ.test(path) ? path.replace('/@Ccy', '') : (path.split('/')[0] ?? '')];
}

function tooManyRows(line: number, rows: number): UnreadableFile {
  return new UnreadableFile(
    { line },
    'too_many_rows',
    `the block has more than ${rows} transactions`,
    'split it, and submit its parts one by one',
  );
}
