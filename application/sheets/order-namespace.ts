import { otherOrder, unclearOrder } from './order-problems.ts';

/** Of the versions that are read; the last is that of Swiss banks before 2022, which is part of the first. */
const NAMESPACES: readonly string[] = [
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03',
  'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
  'http://www.six-interbank-clearing.com/de/pain.001.001.03.ch.02.xsd',
];

/** Requires that all elements of an order are of the namespace of its version, but for those that others have added. */
export class OrderNamespace {
  #prefix = '';
  #declaration = '';
  #namespace = '';

  check(path: readonly string[], attributes: Record<string, string>, prefix: string): void {
    if (path.length === 1) this.#begin(path[0] ?? '', attributes, prefix);
    if (path.length === 1 || path.includes('SplmtryData')) return;
    const declared = attributes[this.#declaration];
    // guard: order-namespace
    if (prefix === this.#prefix && (declared === undefined || declared === this.#namespace)) return;
    throw unclearOrder(0, `has an element of another namespace: ${(path.at(-1) ?? '').slice(0, 40)}`);
  }

  #begin(name: string, attributes: Record<string, string>, prefix: string): void {
    this.#prefix = prefix;
    this.#declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    this.#namespace = attributes[this.#declaration] ?? '';
    if (name !== 'Document' || !NAMESPACES.includes(this.#namespace)) throw otherOrder(this.#namespace.slice(0, 100));
  }
}
