/**
 * The namespace of a document's first element. Elements that have it by another prefix do not count as its own: no program writes them,
 * and looking up every prefix would take twice the time.
 */
export class RootNamespace {
  #prefix = '';
  #declaration = '';
  #name = '';

  /** Its name, as the first element declares it. */
  begin(attributes: Record<string, string>, prefix: string): string {
    this.#prefix = prefix;
    this.#declaration = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
    this.#name = attributes[this.#declaration] ?? '';
    return this.#name;
  }

  /** Of an element, none of whose ancestors has another one. */
  has(attributes: Record<string, string>, prefix: string): boolean {
    const declared = attributes[this.#declaration];
    return prefix === this.#prefix && (declared === undefined || declared === this.#name);
  }
}
