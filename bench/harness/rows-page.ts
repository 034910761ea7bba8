import type { Page } from 'playwright-core';
import { until } from './until.ts';

/** The page with the rows of a run, in a browser. Scripts are texts: they run there, evaluated by the debugger. */

const SHOWN = { everyMs: 5, withinMs: 120_000, otherwise: 'the row was not shown' };

/** Notes when the first row has a reference and was painted: its time since the navigation began. */
const NOTE_FIRST_ROWS = `
  const looked = () => {
    const cell = document.querySelector('.grid [role="rowgroup"] [role="row"] .grid-ref:not([role="columnheader"])');
    if (cell === null || cell.textContent === '') return void requestAnimationFrame(looked);
    requestAnimationFrame(() => { window.firstRowsMs = performance.now(); });
  };
  looked();`;

export interface ShownRow {
  line: number;
  rowRef: string;
  amount: string;
  state: string;
}

export class RowsPage {
  readonly page: Page;
  readonly #path: string;

  constructor(page: Page, runId: string) {
    this.page = page;
    this.#path = `/runs/${runId}/rows`;
  }

  /** Milliseconds from the start of the navigation until rows were painted. */
  async open(query = ''): Promise<number> {
    await this.page.goto(`${this.#path}${query}`);
    const readShown = (): Promise<number | null> => this.page.evaluate('window.firstRowsMs ?? null');
    await until(async () => (await readShown()) !== null, SHOWN);
    return (await readShown()) ?? 0;
  }

  /** The row at a position from 0, as soon as it is there, and how long that took. */
  async rowAt(position: number): Promise<{ row: ShownRow; ms: number }> {
    const begunMs = performance.now();
    const found: ShownRow[] = [];
    await until(async () => {
      const row = await this.page.evaluate<ShownRow | null>(readRow(position));
      if (row !== null) found.push(row);
      return row !== null;
    }, SHOWN);
    const [row] = found;
    if (row === undefined) throw new Error(`row ${position} was not shown`);
    return { row, ms: performance.now() - begunMs };
  }

  async jumpTo(position: number): Promise<{ row: ShownRow; ms: number }> {
    const field = this.page.getByRole('textbox', { name: 'Go to line' });
    await field.fill(String(position + 1 + LINES_OF_HEADER));
    await field.press('Enter');
    return this.rowAt(position);
  }

  async pressEnd(lastPosition: number): Promise<{ row: ShownRow; ms: number }> {
    await this.page.getByRole('grid').press('End');
    return this.rowAt(lastPosition);
  }

  /** Frames a second that are painted while a wheel turns. */
  async framesWhileScrolling(seconds: number): Promise<number> {
    await this.page.getByRole('grid').hover();
    const counting = this.page.evaluate<number>(`new Promise((resolve) => {
      let frames = 0;
      const begunMs = performance.now();
      const onFrame = (now) => {
        frames += 1;
        const ms = now - begunMs;
        if (ms < ${seconds * 1_000}) requestAnimationFrame(onFrame);
        else resolve(frames * 1_000 / ms);
      };
      requestAnimationFrame(onFrame);
    })`);
    const counted = { isOver: false };
    void counting.finally(() => {
      counted.isOver = true;
    });
    while (!counted.isOver) await this.page.mouse.wheel(0, WHEEL_PIXELS);
    return counting;
  }
}

const WHEEL_PIXELS = 120;
/** Every row has a line of its own, after that of the header. */
const LINES_OF_HEADER = 1;

export async function watchFirstRows(page: Page): Promise<void> {
  await page.addInitScript(NOTE_FIRST_ROWS);
}

function readRow(position: number): string {
  return `(() => {
    const row = document.getElementById('grid-row-${position}');
    const text = (name) => row?.querySelector('.' + name)?.textContent ?? '';
    if (text('grid-ref') === '') return null;
    return {
      line: Number(text('grid-line').replaceAll(/\\D/g, '')),
      rowRef: text('grid-ref'),
      amount: text('grid-amount').replaceAll(/[^\\d.]/g, ''),
      state: text('grid-state').toLowerCase(),
    };
  })()`;
}
