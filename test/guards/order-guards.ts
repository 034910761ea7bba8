import type { Guard } from './guard.ts';

const ORDER = 'test/application/sheets/order-sheet.test.ts';

/** What payment orders (pain.001) and rows in JSON say is what is paid. */
export const ORDER_GUARDS: readonly Guard[] = [
  {
    id: 'order-namespace',
    against: 'a part of an order that belongs to something else is paid, which other programs do not see',
    without: 'return;',
    test: { file: ORDER, name: 'with elements of another namespace' },
  },
  {
    id: 'order-count',
    against: 'an order that lost transactions is paid as if it were whole',
    without: '',
    test: { file: ORDER, name: 'whose count of transactions is another one' },
  },
  {
    id: 'order-control-sum',
    against: 'an order whose amounts were changed is paid',
    without: '',
    test: { file: ORDER, name: 'whose control sum is another one' },
  },
  {
    id: 'order-amount',
    against: 'of two amounts one is paid without a word',
    without: '',
    test: { file: ORDER, name: 'with two amounts' },
  },
  {
    id: 'order-part-once',
    against: 'of two names or accounts of a creditor one is paid without a word',
    without: '',
    test: { file: ORDER, name: 'with two names of a creditor' },
  },
  {
    id: 'json-texts-alone',
    against: 'an amount is paid that another program rounded when it wrote or read a number of JSON',
    without: '',
    test: { file: 'test/application/sheets/json-sheet.test.ts', name: 'with a number instead of a text' },
  },
  {
    id: 'block-once',
    against: 'a block is chosen by its name, and another one of that name is paid with it',
    without: '',
    test: { file: ORDER, name: 'with one identification for two blocks' },
  },
  {
    id: 'transfers-alone',
    against: 'cheques are paid as transfers',
    without: '',
    test: { file: ORDER, name: 'with cheques' },
  },
  {
    id: 'block-not-chosen',
    against: 'of several blocks the first one is paid, and nobody knows of the others',
    without: '',
    test: { file: ORDER, name: 'one is chosen' },
  },
  {
    id: 'block-of-this-order',
    against: 'a block is paid that nobody chose, since one of an earlier order had its name',
    without: '',
    test: { file: 'test/application/open-known-table.test.ts', name: 'is no block of an order' },
  },
];
