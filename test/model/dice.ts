import { seeded } from '../../fixtures/reconciliation/provider-model.ts';

/** Random choices from a seed. */
export class Dice {
  readonly #next: () => number;

  constructor(seed: number) {
    this.#next = seeded(seed);
    // Neighbouring seeds begin alike.
    for (let n = 0; n < 3; n += 1) this.#next();
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** From 0, below `count`. */
  below(count: number): number {
    return Math.floor(this.#next() * count);
  }

  pick<T>(choices: readonly T[]): T {
    const chosen = choices[this.below(choices.length)];
    if (chosen === undefined) throw new RangeError('there is nothing to choose from');
    return chosen;
  }

  /** As `pick`; null: there is nothing to choose from. */
  pickOrNull<T>(choices: readonly T[]): T | null {
    return choices.length === 0 ? null : this.pick(choices);
  }

  /** By weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let rest = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [choice, weight] of entries) {
      rest -= weight;
      if (rest < 0) return choice;
    }
    return this.pick(entries)[0];
  }

  seed(): number {
    return this.below(2 ** 31);
  }
}
