import { useEffect, useState } from 'react';
import type { SheetReading } from './use-reading.ts';

/**
 * What a button does with a sheet as it is read. Pressed while the last decision is being read, as that of a field beside it which was
 * left for the button, it waits for the answer; another decision meanwhile is one to look at first.
 */
export function useOnceRead<Work>(
  { asked, isAsking, error }: Pick<SheetReading, 'asked' | 'isAsking' | 'error'>,
  work: (what: Work) => void,
): { start: (what: Work) => void; isWaiting: boolean } {
  const [waiting, setWaiting] = useState<{ what: Work; id: string | undefined } | null>(null);
  useEffect(() => {
    if (waiting === null || isAsking) return;
    setWaiting(null);
    if (error === null && waiting.id === asked?.id) work(waiting.what);
  });
  return {
    start: (what) => (isAsking ? setWaiting({ what, id: asked?.id }) : work(what)),
    isWaiting: waiting !== null,
  };
}
