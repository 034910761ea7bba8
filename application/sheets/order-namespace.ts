import { otherOrder, unclearOrder } from './order-problems.ts';
import { RootNamespace } from './root-namespace.ts';

/** Of the versions that are read; the last is that of Swiss banks before 2022, which is part of the first. */
const NAMESPACES: readonly string[] = [
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03',
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
  'http://www.six-interbank-clearing.com/de/pain.001.001.03.ch.02.xsd',
];

/** Requires that all elements of an order are of the namespace of its version, but for those that others have added. */
export class OrderNamespace {
  readonly #root = new RootNamespace();

  check(path: readonly string[], attributes: Record<string, string>, prefix: string): void {
    if (path.length === 1) {
      const namespace = this.#root.begin(attributes, prefix);
      if (path[0] !== 'Document' || !NAMESPACES.includes(namespace)) throw otherOrder(namespace.slice(0, 100));
    }
    if (path.length === 1 || path.includes('SplmtryData')) return;
    // guard: order-namespace
    if (this.#root.has(attributes, prefix)) return;
    throw unclearOrder(0, `has an element of another namespace: ${(path.at(-1) ?? '').slice(0, 40)}`);
  }
}
