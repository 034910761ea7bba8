import Big from 'big.js';
import type { OrderParts } from './order-parts.ts';
import { wrongSums } from './order-problems.ts';

/** The transactions of an order or of a block: how many, and the sum of their amounts, whatever their currencies. */
export class OrderSums {
  count = 0;
  #sum = new Big(0);

  add(amount: string): void {
    this.count += 1;
    this.#sum = this.#sum.plus(amount);
  }

  /** Against what the parts say at these paths. Throws UnreadableFile. */
  check(what: string, parts: OrderParts, paths: { count: string; sum: string }): void {
    const count = parts.get(paths.count);
    // guard: order-count (3 lines)
    if (count !== '' && count !== String(this.count)) {
      throw wrongSums(`${what} says that it has ${count.slice(0, 20)} transactions, and has ${this.count}`);
    }
    const sum = parts.get(paths.sum);
    // guard: order-control-sum (5 lines)
    if (sum !== '' && !isEqual(sum, this.#sum)) {
      throw wrongSums(
        `the control sum of ${what} is ${sum.slice(0, 40)}, and that of its transactions ${this.#sum.toFixed()}`,
      );
    }
  }
}

function isEqual(text: string, sum: Big): boolean {
  return /^\d{1,18}(?:\.\d{1,18})?$/.test(text) && sum.eq(text);
}
