import { type PointerEvent, type ReactNode, useState } from 'react';
import { formatAmount } from './formats.ts';
import './chart.css';

export interface ChartPoint {
  /** Where it stands, in any unit that grows: milliseconds, or the number of a day. */
  at: number;
  /** The same in words. */
  when: string;
  /** A decimal string. It is written as it is; only the drawing makes a number of it. */
  value: string;
  /** Needs attention: drawn with a band. */
  isMarked?: boolean;
  note?: string | undefined;
}

interface Shape {
  label: string;
  unit: string;
  points: readonly ChartPoint[];
  /** `steps` keep a value until the next point; `dots` have no values in between. */
  as: 'steps' | 'dots';
  /** Of what is marked. */
  markWord?: string;
}

const WIDTH = 1_000;
const HEIGHT = 200;

/** One line over time, with its exact values in a table below: for readers of the screen, and to be copied. */
export function Chart(props: Shape): ReactNode {
  const { label, unit, points, as, markWord } = props;
  const [shownIndex, setShown] = useState<number | null>(null);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return null;
  const place = scaleOf(points);
  const shown = points[shownIndex ?? points.length - 1] ?? last;
  const isMarkedAnywhere = points.some(({ isMarked }) => isMarked === true);
  const point = (event: PointerEvent<SVGSVGElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setShown(nearest(points, place, ((event.clientX - box.left) / box.width) * WIDTH));
  };
  return (
    <figure className="chart">
      <figcaption className="row spread">
        <strong>{label}</strong>
        <span className="numbers small">
          {shown.when}: <strong>{formatAmount(shown.value)}</strong> {unit}
          {shown.note === undefined ? '' : ` · ${shown.note}`}
          {shown.isMarked === true && markWord !== undefined ? ` · ${markWord}` : ''}
        </span>
      </figcaption>
      <div className="chart-body">
        <div className="chart-scale numbers small" aria-hidden="true">
          <span>{formatAmount(place.highest)}</span>
          <span>{formatAmount(place.lowest)}</span>
        </div>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={summaryOf(props)}
          onPointerMove={point}
          onPointerLeave={() => setShown(null)}
        >
          {bandsOf(points, place).map(([from, to]) => (
            <rect key={from} className="chart-band" x={from} y={0} width={Math.max(to - from, 4)} height={HEIGHT} />
          ))}
          <line className="chart-zero" x1={0} x2={WIDTH} y1={place.zero} y2={place.zero} />
          <path className={as === 'dots' ? 'chart-dots' : 'chart-line'} d={pathOf(points, place, as)} />
          {shownIndex === null ? null : (
            <line className="chart-pointer" x1={place.x(shown)} x2={place.x(shown)} y1={0} y2={HEIGHT} />
          )}
        </svg>
        <div className="chart-days small muted" aria-hidden="true">
          <span>{first.when}</span>
          <span>{last.when}</span>
        </div>
      </div>
      {isMarkedAnywhere && markWord !== undefined ? (
        <span className="small">
          <span className="chart-key" aria-hidden="true" /> {markWord}
        </span>
      ) : null}
      <Values {...props} />
    </figure>
  );
}

/** The same as numbers. */
function Values({ label, unit, points, markWord }: Shape): ReactNode {
  const hasNotes = points.some(({ isMarked, note }) => isMarked === true || note !== undefined);
  return (
    <details className="chart-values">
      <summary>As a table</summary>
      <div className="table-wrap" role="region" aria-label={`${label}, values`} tabIndex={0}>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col" className="right">
                {unit}
              </th>
              {hasNotes ? <th scope="col">Remark</th> : null}
            </tr>
          </thead>
          <tbody>
            {points.map(({ at, when, value, isMarked, note }, index) => (
              <tr key={`${at} ${index}`}>
                <td>{when}</td>
                <td className="right" data-name={unit}>
                  {formatAmount(value)}
                </td>
                {hasNotes ? (
                  <td data-name="Remark">
                    {[note, isMarked === true ? markWord : undefined].filter(Boolean).join(', ')}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

interface Scale {
  x: (point: ChartPoint) => number;
  y: (point: ChartPoint) => number;
  zero: number;
  highest: string;
  lowest: string;
}

/** Zero always belongs to it: a line that falls by a tenth must not look like one that falls to nothing. */
function scaleOf(points: readonly ChartPoint[]): Scale {
  const from = Math.min(...points.map(({ at }) => at));
  const to = Math.max(...points.map(({ at }) => at));
  const numbers = points.map(({ value }) => Number(value));
  const highest = Math.max(0, ...numbers);
  const lowest = Math.min(0, ...numbers);
  const span = highest - lowest || 1;
  const y = (value: number): number => HEIGHT - 6 - ((value - lowest) / span) * (HEIGHT - 12);
  return {
    x: ({ at }) => (to === from ? WIDTH / 2 : ((at - from) / (to - from)) * WIDTH),
    y: ({ value }) => y(Number(value)),
    zero: y(0),
    highest: points[numbers.indexOf(highest)]?.value ?? '0',
    lowest: points[numbers.indexOf(lowest)]?.value ?? '0',
  };
}

function pathOf(points: readonly ChartPoint[], { x, y }: Scale, as: Shape['as']): string {
  if (as === 'dots') return points.map((point) => `M${x(point)} ${y(point)}h0`).join('');
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const line = rest.map((point) => `H${x(point)}V${y(point)}`).join('');
  return rest.length === 0 ? `M0 ${y(first)}H${WIDTH}` : `M${x(first)} ${y(first)}${line}`;
}

/** From each marked point to the next point. */
function bandsOf(points: readonly ChartPoint[], { x }: Scale): [from: number, to: number][] {
  return points.flatMap((point, index): [number, number][] => {
    if (point.isMarked !== true) return [];
    const next = points[index + 1];
    return [[Math.min(x(point), WIDTH - 4), next === undefined ? WIDTH : x(next)]];
  });
}

function nearest(points: readonly ChartPoint[], { x }: Scale, at: number): number {
  let found = 0;
  for (const [index, point] of points.entries()) {
    const known = points[found];
    if (known !== undefined && Math.abs(x(point) - at) < Math.abs(x(known) - at)) found = index;
  }
  return found;
}

function summaryOf({ label, unit, points, markWord }: Shape): string {
  const [first, last] = [points[0], points.at(-1)];
  const marked = points.find(({ isMarked }) => isMarked === true);
  return [
    `${label}: ${first?.value ?? ''} ${unit} ${first?.when ?? ''}, ${last?.value ?? ''} ${unit} ${last?.when ?? ''}`,
    ...(marked === undefined || markWord === undefined ? [] : [`${markWord} from ${marked.when}`]),
  ].join('; ');
}
