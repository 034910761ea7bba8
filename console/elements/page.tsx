import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId } from 'react';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { UnknownOutcomeError } from '../calls/unknown-outcome-error.ts';
import { type Tone } from './mark.tsx';
import { explain } from './explain-error.ts';

/** A page: one heading, what is under it, what one may do. The title is that of the tab as well. */
export function Page(props: { title: string; under?: ReactNode; actions?: ReactNode; children: ReactNode }): ReactNode {
  const { title, under, actions, children } = props;
  useEffect(() => {
    document.title = `${title} · payrun`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {under === undefined ? null : <div className="under">{under}</div>}
        </div>
        {actions === undefined ? null : <div className="row no-print">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Section(props: { title: string; aside?: ReactNode; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-head">
        <h2 id={id}>{props.title}</h2>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}

export function Facts({ of }: { of: readonly (readonly [string, ReactNode] | null)[] }): ReactNode {
  return (
    <dl className="facts">
      {of.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]} style={{ display: 'contents' }}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1] ?? <span className="muted">–</span>}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

export function Notice(props: { tone: Tone; title?: ReactNode; children?: ReactNode }): ReactNode {
  const { tone, title, children } = props;
  return (
    <div className="notice" data-tone={tone} role={tone === 'failed' ? 'alert' : 'note'}>
      {title === undefined ? null : <strong>{title}</strong>}
      {children === undefined ? null : <div>{children}</div>}
    </div>
  );
}

/** Nothing is here; says what would bring something. */
export function Blank({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <div className="blank">
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** What could not be shown, and why, with a way on. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }): ReactNode {
  const { title, message } = explain(error);
  return (
    <Notice tone="failed" title={title}>
      <div className="stack">
        <span>{message}</span>
        {error instanceof UnknownOutcomeError ? <ReadAgain /> : null}
        {isFinal(error) || error instanceof UnknownOutcomeError ? <Link to="/inbox">To the inbox</Link> : null}
        {onRetry === undefined || isFinal(error) ? null : (
          <div>
            <Button size="xs" variant="default" onClick={onRetry}>
              Try again
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}

/** Asking again does not bring what does not exist, or what is for others. */
function isFinal(error: unknown): boolean {
  return error instanceof PayrunApiError && (error.status === 404 || error.status === 403);
}

/** What the page shows is read again: it then says whether what was asked for is recorded. */
function ReadAgain(): ReactNode {
  const queries = useQueryClient();
  return (
    <div>
      <Button size="xs" variant="default" onClick={() => void queries.invalidateQueries()}>
        Read again what is recorded
      </Button>
    </div>
  );
}

/** The place of what is still loaded, in about its size. */
export function Skeleton({ lines = 6, label = 'Loading' }: { lines?: number; label?: string }): ReactNode {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: `${100 - ((index * 13) % 40)}%` }} />
      ))}
    </div>
  );
}
