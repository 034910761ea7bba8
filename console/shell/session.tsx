import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  createContext,
  Fragment,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Session } from '../../api/users/session.ts';
import { PayrunApiError } from '../../client/sdk/errors.ts';
import { api } from '../calls/api.ts';
import { callFor, onSessionLost } from '../calls/call.ts';
import { Failed, Notice } from '../elements/page.tsx';
import { showTimesIn } from '../elements/times.ts';
import { forgetWhatWasRead } from './forget-what-was-read.ts';
import { ShellSkeleton } from './shell-skeleton.tsx';

interface SignedInPage {
  session: Session;
  /** Once one has signed out: the page is taken away. A session that ends by itself leaves it. */
  leave: () => void;
}

const SessionContext = createContext<SignedInPage | null>(null);

function usePage(): SignedInPage {
  const page = useContext(SessionContext);
  if (page === null) throw new Error('nobody is signed in');
  return page;
}

/** Who is signed in. Only for what is shown inside `SignedIn`. */
export function useSession(): Session {
  return usePage().session;
}

export function useLeave(): () => void {
  return usePage().leave;
}

export function useMay(permission: Session['permissions'][number]): boolean {
  return useSession().permissions.includes(permission);
}

export const SESSION_KEY = ['session'] as const;

/**
 * Shows its children to somebody who is signed in, the second step to somebody whose sign-in takes a second factor, and the page for
 * signing in to anybody else.
 */
export function SignedIn(props: { signIn: ReactNode; secondFactor: ReactNode; children: ReactNode }): ReactNode {
  const queries = useQueryClient();
  const session = useQuery({
    queryKey: SESSION_KEY,
    queryFn: ({ signal }) => readSession(signal),
    staleTime: 60_000,
  });
  const awaiting = session.data?.awaitsSecondFactor === true ? session.data : null;
  const [shown, leave] = useShownSession(awaiting === null ? session.data : null);
  useEffect(() => onSessionLost(() => void queries.invalidateQueries({ queryKey: SESSION_KEY })), [queries]);
  if (session.data === undefined) {
    return session.isError ? (
      <div className="page">
        <Failed error={session.error} onRetry={() => void session.refetch()} />
      </div>
    ) : (
      <ShellSkeleton />
    );
  }
  const signIn =
    awaiting === null ? (
      props.signIn
    ) : (
      <SessionContext value={{ session: awaiting, leave }}>{props.secondFactor}</SessionContext>
    );
  if (shown === null) return session.data === null || awaiting !== null ? signIn : <ShellSkeleton />;
  return (
    <SessionContext value={{ session: shown, leave }}>
      <Fragment key={shown.user.userId}>{props.children}</Fragment>
      {session.data === null || awaiting !== null ? <SignInAgain name={shown.user.name}>{signIn}</SignInAgain> : null}
    </SessionContext>
  );
}

/**
 * Whose page is shown. It outlasts the end of their session, so that what they have begun to write is there when they sign in
 * again; nothing of it is shown to anybody else.
 */
function useShownSession(now: Session | null | undefined): [Session | null, () => void] {
  const queries = useQueryClient();
  const [shown, setShown] = useState<Session | null>(null);
  const [hasLeft, setLeft] = useState(false);
  const [hasEnded, setEnded] = useState(false);
  const tell = useOtherTabs(setLeft);
  useLayoutEffect(() => {
    if (now === undefined) return;
    const isOther = now !== null && shown !== null && now.user.userId !== shown.user.userId;
    const isLeft = now === null && hasLeft;
    if (isOther || isLeft) forgetWhatWasRead(queries, SESSION_KEY);
    callFor(now?.user.userId ?? null);
    setEnded(now === null);
    if (now !== null) setShown(now);
    if (now !== null && (isOther || hasEnded)) tell('signed_in');
    if (isLeft) {
      setShown(null);
      setLeft(false);
    }
    // What was read while nobody was signed in are refusals.
    if (now !== null && hasEnded) void queries.invalidateQueries();
  }, [now, shown, hasLeft, hasEnded, queries, tell]);
  const leave = useCallback((): void => {
    setLeft(true);
    queries.setQueryData(SESSION_KEY, null);
    tell('signed_out');
  }, [queries, tell]);
  return [shown, leave];
}

type SessionNews = 'signed_in' | 'signed_out';

/** Tabs of one browser have one session. What happens to it in one of them, the others see at once. */
function useOtherTabs(onLeft: (hasLeft: boolean) => void): (news: SessionNews) => void {
  const queries = useQueryClient();
  const channel = useRef<BroadcastChannel>(null);
  useEffect(() => {
    const opened = new BroadcastChannel('payrun-session');
    channel.current = opened;
    opened.onmessage = ({ data }: MessageEvent<SessionNews>) => {
      if (data === 'signed_out') onLeft(true);
      void queries.invalidateQueries({ queryKey: SESSION_KEY });
    };
    return () => opened.close();
  }, [queries, onLeft]);
  return useCallback((news) => channel.current?.postMessage(news), []);
}

/** Null: nobody is signed in. */
async function readSession(signal: AbortSignal): Promise<Session | null> {
  try {
    const session = await api.getSession({}, { signal });
    showTimesIn(session.timeZone);
    return session;
  } catch (error) {
    if (error instanceof PayrunApiError && error.status === 401) return null;
    throw error;
  }
}

/**
 * Over the page of somebody whose session has ended, and hiding it: signed in again, they go on where they were. It is a dialog
 * of the browser itself, so that nothing below it can be read or reached, not even dialogs of the page.
 */
function SignInAgain({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <dialog
      className="sign-in-again"
      aria-label="Your session has ended"
      ref={(dialog) => {
        if (dialog !== null && !dialog.open) dialog.showModal();
      }}
      onCancel={(event) => event.preventDefault()}
    >
      <Notice tone="waiting" title="Your session has ended">
        Sign in as {name} to go on where you were: what you have written is still there.
      </Notice>
      {children}
    </dialog>
  );
}
