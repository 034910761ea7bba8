import type { FileProblemCode } from '../../domain/payment-file/file-problem-codes.ts';
import { UnreadableFile } from '../payment-file/file-problem.ts';

/** What keeps a payment order (pain.001) from being read. Lines are numbers of its transactions; 0: the order, or a block of it. */

export function damagedOrder(): UnreadableFile {
  return orderProblem(0, 'damaged_order', 'the file is cut off, or is not well-formed XML');
}

export function otherOrder(found: string): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'other_order',
    `the file is a payment order of another version: ${found}`,
    'export it as pain.001.001.03 or pain.001.001.09',
  );
}

/** `problem` completes "the order" or "transaction 3". */
export function unclearOrder(transaction: number, problem: string): UnreadableFile {
  return orderProblem(
    transaction,
    'unclear_order',
    `${transaction === 0 ? 'the order' : `transaction ${transaction}`} ${problem}`,
  );
}

export function wrongSums(problem: string): UnreadableFile {
  return orderProblem(0, 'order_sums', problem);
}

function orderProblem(line: number, code: FileProblemCode, problem: string): UnreadableFile {
  return new UnreadableFile({ line }, code, problem, 'export the order again from where it comes from');
}

/** `what` completes "block A orders". */
export function noTransfers(block: string, what: string): UnreadableFile {
  return new UnreadableFile(
    { line: 0 },
    'no_transfers',
    `${block} orders ${what}, and payrun carries out transfers alone`,
    'take it out of the order, and give it to a bank',
  );
}
