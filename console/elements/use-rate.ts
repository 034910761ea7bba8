import { useEffect, useRef, useState } from 'react';

/** Requests a second between the last two reads of how many were sent today; null before the second. `readAt`: in milliseconds. */
export function useRate(requests: number, readAt: number): number | null {
  const before = useRef<{ requests: number; readAt: number } | null>(null);
  const [rate, setRate] = useState<number | null>(null);
  useEffect(() => {
    const last = before.current;
    if (last?.readAt === readAt) return;
    before.current = { requests, readAt };
    // The count begins again with each day.
    if (last !== null && requests >= last.requests) {
      setRate(((requests - last.requests) * 1_000) / Math.max(1, readAt - last.readAt));
    }
  }, [requests, readAt]);
  return rate;
}
