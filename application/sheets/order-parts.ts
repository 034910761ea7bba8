import { unclearOrder } from './order-problems.ts';

/** Texts of a payment order by their paths, such as `CdtrAgt/FinInstnId/BICFI`, which remembers what of them was asked for. */
export class OrderParts {
  readonly #texts = new Map<string, string[]>();
  readonly #used = new Set<string>();
  readonly #transaction: number;

  /** `transaction`: its number in the order; 0: the parts are those of a block. */
  constructor(transaction: number) {
    this.#transaction = transaction;
  }

  add(path: string, text: string): void {
    const known = this.#texts.get(path);
    if (known === undefined) this.#texts.set(path, [text]);
    else known.push(text);
  }

  /** All texts of the path, in their order. */
  all(path: string): readonly string[] {
    this.#used.add(path);
    return this.#texts.get(path) ?? [];
  }

  /** Of a path that there is at most once. Empty: it is not there. Throws UnreadableFile if it is there twice. */
  get(path: string): string {
    const [text = '', ...more] = this.all(path);
    // guard: order-part-once
    if (more.length > 0) throw unclearOrder(this.#transaction, `has ${path} twice`);
    return text;
  }

  /** Without having asked for it. */
  peek(path: string): string {
    return this.#texts.get(path)?.[0] ?? '';
  }

  /** Whether there is anything below the path. */
  has(path: string): boolean {
    return [...this.#texts.keys()].some((known) => known.startsWith(`${path}/`));
  }

  /** The first of the paths that is there. */
  anyOf(...paths: string[]): string {
    let found = '';
    for (const path of paths) {
      const text = this.get(path);
      if (found === '') found = text;
    }
    return found;
  }

  /** What nobody asked for. */
  unused(): string[] {
    return [...this.#texts.keys()].filter((path) => !this.#used.has(path));
  }
}
