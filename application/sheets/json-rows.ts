import { parse } from 'lossless-json';
import { UnreadableFile } from '../payment-file/file-problem.ts';

/** No row of 200 columns is longer. */
const LONGEST_ROW = 4 * 1024 ** 2;

/**
 * Reads a list of objects in JSON piece by piece: each is a row, whose values are texts. Holds no more than the object that it is in.
 * Throws UnreadableFile, with the number of the row, for anything else.
 */
export class JsonRows {
  #count = 0;
  #state: 'before' | 'row' | 'within' | 'behind' | 'ended' = 'before';
  /** Of the object that is being read. */
  #text = '';
  #isText = false;
  #isEscaped = false;

  /** The rows that end in the text. */
  push(text: string): Map<string, string>[] {
    const rows: Map<string, string>[] = [];
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] ?? '';
      if (this.#state !== 'within') {
        if (!this.#passes(sign)) continue;
        start = at;
      } else if (this.#isText) this.#passText(sign);
      else if (sign === '"') this.#isText = true;
      // Numbers and the like are found when the object is read.
      else if (sign === '{' || sign === '[') throw this.#notText(null);
      else if (sign === '}') {
        rows.push(this.#rowOf(this.#text + text.slice(start, at + 1)));
        this.#text = '';
        this.#state = 'behind';
      }
    }
    if (this.#state === 'within') this.#text += text.slice(start);
    if (this.#text.length > LONGEST_ROW) throw this.#notJson('is longer than any row');
    return rows;
  }

  end(): void {
    if (this.#state !== 'ended') throw this.#notJson('is cut off');
  }

  /** Whether an object begins with the sign. */
  #passes(sign: string): boolean {
    if (/[ \t\r\n]/.test(sign)) return false;
    const state = this.#state;
    if (state === 'before' && sign === '[') this.#state = 'row';
    else if (state === 'behind' && sign === ',') this.#state = 'row';
    else if (sign === ']' && (state === 'behind' || (state === 'row' && this.#count === 0))) this.#state = 'ended';
    else if (state === 'row' && sign === '{') {
      this.#state = 'within';
      this.#count += 1;
      return true;
    } else throw this.#notJson('is followed by something else than an object');
    return false;
  }

  #passText(sign: string): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (sign === '\\') this.#isEscaped = true;
    else if (sign === '"') this.#isText = false;
  }

  #rowOf(text: string): Map<string, string> {
    const row = new Map<string, string>();
    for (const [name, value] of Object.entries(this.#parsed(text))) {
      // guard: json-texts-alone
      if (value !== null && typeof value !== 'string') throw this.#notText(name);
      row.set(name, typeof value === 'string' ? value : '');
    }
    return row;
  }

  /** Unlike JSON.parse, it refuses two values of one name. */
  #parsed(text: string): Record<string, unknown> {
    try {
      return parse(text) as Record<string, unknown>;
    } catch {
      throw this.#notJson('is not JSON, or has a name twice');
    }
  }

  #notJson(problem: string): UnreadableFile {
    return new UnreadableFile(
      { line: this.#count },
      'json_file',
      `${this.#count === 0 ? 'the file' : `object ${this.#count} of the list`} ${problem}`,
      'give a list with one object for each payment',
    );
  }

  #notText(name: string | null): UnreadableFile {
    return new UnreadableFile(
      { line: this.#count, ...(name === null ? {} : { column: name.slice(0, 80) }) },
      'json_not_text',
      `object ${this.#count} of the list has a value that is not a text: numbers of JSON are not exact`,
      'put every value into quotes, such as "1250.00"',
    );
  }
}
