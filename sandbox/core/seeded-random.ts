/** A seeded random generator: the same seed gives the same ids, delays and faults, so that a failure can be repeated. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #count = 1;

  constructor(seed: string) {
    this.#a = hash32(`${seed}/a`);
    this.#b = hash32(`${seed}/b`);
    this.#c = hash32(`${seed}/c`);
    for (let warmUp = 0; warmUp < 12; warmUp++) this.word();
  }

  /** The next 32 random bits (sfc32). */
  word(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#count) | 0;
    this.#count = (this.#count + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    return sum >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.word() / 4_294_967_296;
  }

  /** A whole number from `min` to `max`, both inclusive. */
  between(min: number, max: number): number {
    return min + Math.floor(this.fraction() * (max - min + 1));
  }

  /** An identifier in the form of a random UUID (version 4). */
  uuid(): string {
    const hex = this.hex(32);
    const variant = '89ab'[this.word() & 3] ?? '8';
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }

  hex(length: number): string {
    let text = '';
    while (text.length < length) text += this.word().toString(16).padStart(8, '0');
    return text.slice(0, length);
  }

  /** Letters and digits that are not easily confused when read aloud. */
  code(length: number): string {
    const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
    let text = '';
    while (text.length < length) text += alphabet[this.word() & 31] ?? 'A';
    return text;
  }
}

/** A well-mixed 32-bit hash of a text, for choices that depend on the seed but not on the order of the calls. */
export function hash32(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
