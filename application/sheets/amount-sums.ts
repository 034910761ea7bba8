/** Which sign is the decimal one is not known yet: sums are kept by both. */
type DecimalSign = '.' | ',';
const DECIMAL_SIGNS: readonly DecimalSign[] = ['.', ','];

/** Amounts are added up in millionths: more decimals are left by calculations. */
const DECIMALS = 6;

interface Sums {
  /** Since the beginning, and since the last row of sums. */
  all: bigint;
  part: bigint;
  /** How many amounts they are of. */
  allCount: number;
  partCount: number;
}

/**
 * Adds up each column whose cells are all amounts, to recognise rows of sums by their numbers. Holds a few numbers for each column.
 */
export class AmountSums {
  /** By column and sign; null: a cell was no amount by it. */
  readonly #sums: Record<DecimalSign, (Sums | null)[]> = { '.': [], ',': [] };

  /** Of a row that is no row of sums. `values`: exact ones, where the sheet has them. */
  add(cells: readonly string[], values: readonly (string | null)[]): void {
    for (const sign of DECIMAL_SIGNS) {
      const sums = this.#sums[sign];
      cells.forEach((cell, column) => {
        const known = sums[column];
        if (known === null || cell === '') return;
        const amount = amountOf(cell, values[column] ?? null, sign);
        sums[column] = amount === null ? null : added(known ?? NONE, amount);
      });
    }
  }

  /** Each amount of a row of sums that has at least two amounts above it. */
  compared(cells: readonly string[], values: readonly (string | null)[]): ComparedSum[] {
    return cells.flatMap((cell, column) => {
      const readings = DECIMAL_SIGNS.flatMap((sign): ComparedSum[] => {
        const sums = this.#sums[sign][column] ?? NONE;
        const amount = sums.allCount < 2 ? null : amountOf(cell, values[column] ?? null, sign);
        if (amount === null) return [];
        const isPart = sums.partCount > 1 && distance(amount, sums.part) < distance(amount, sums.all);
        const isSum =
          distance(amount, isPart ? sums.part : sums.all) <= BigInt(isPart ? sums.partCount : sums.allCount);
        return [
          { column, isSum: isSum && amount !== 0n, isOther: !isSum, sum: decimal(isPart ? sums.part : sums.all) },
        ];
      });
      return readings.find(({ isSum }) => isSum) ?? readings[0] ?? [];
    });
  }

  /** A row of sums was passed. */
  startPart(): void {
    for (const sign of DECIMAL_SIGNS) {
      this.#sums[sign] = this.#sums[sign].map((sums) => (sums === null ? null : { ...sums, part: 0n, partCount: 0 }));
    }
  }
}

const NONE: Sums = { all: 0n, part: 0n, allCount: 0, partCount: 0 };

/** An amount of a row of sums, beside the nearest sum of those above it: all, or those since the last row of sums. */
export interface ComparedSum {
  column: number;
  /** Each of the amounts above may lack a millionth. Nothing is told by a zero. */
  isSum: boolean;
  isOther: boolean;
  /** A decimal, with a point. */
  sum: string;
}

function distance(amount: bigint, sum: bigint): bigint {
  return amount > sum ? amount - sum : sum - amount;
}

/** With two decimals at least. */
function decimal(millionths: bigint): string {
  const digits = String(distance(millionths, 0n)).padStart(DECIMALS + 1, '0');
  const part = digits.slice(-DECIMALS).replace(/0{1,4}$/, '');
  return `${millionths < 0n ? '-' : ''}${digits.slice(0, -DECIMALS)}.${part}`;
}

function added(sums: Sums, amount: bigint): Sums {
  return {
    all: sums.all + amount,
    part: sums.part + amount,
    allCount: sums.allCount + 1,
    partCount: sums.partCount + 1,
  };
}

/** Longer texts are no amounts. */
const LONGEST_AMOUNT = 40;

/** A currency may stand before or after the number. */
const AROUND = /^\s*(?:\p{Lu}{3}|\p{Sc})?\s*|\s*(?:\p{Lu}{3}|\p{Sc})?\s*$/gu;
const FORMS: Record<DecimalSign, RegExp> = {
  '.': /^([-+]?)(\d{1,3}(?:[,'’\s]\d{3})+|\d+)(?:\.(\d+))?$/,
  ',': /^([-+]?)(\d{1,3}(?:[.'’\s]\d{3})+|\d+)(?:,(\d+))?$/,
};

/** In millionths; null: the text is no amount by this decimal sign. */
export function amountOf(cell: string, value: string | null, sign: DecimalSign): bigint | null {
  const text = value ?? cell;
  if (text.length > LONGEST_AMOUNT || !/\d/.test(text)) return null;
  const parts = FORMS[value === null ? sign : '.'].exec(text) ?? FORMS[sign].exec(text.replace(AROUND, ''));
  if (parts === null) return null;
  const [, minus, whole = '', decimals = ''] = parts;
  const millionths = BigInt(whole.replace(/\D/g, '') + decimals.slice(0, DECIMALS).padEnd(DECIMALS, '0'));
  return minus === '-' ? -millionths : millionths;
}
