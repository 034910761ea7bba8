import { useNavigate, useParams, useSearch } from '@tanstack/react-router';

/** What the page shows, as its address holds it: a link shows a colleague the same. */
export function useAddress(): {
  search: Readonly<Record<string, string | undefined>>;
  /** Null removes a part. `isStep`: the browser's “back” returns to what was before. */
  change: (parts: Readonly<Record<string, string | null>>, isStep?: boolean) => void;
} {
  const search: Record<string, string | undefined> = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    search,
    change: (parts, isStep = false) => {
      const next = { ...search, ...parts };
      const given = Object.entries(next).filter(([, value]) => value !== null && value !== undefined && value !== '');
      void navigate({ to: '.', search: Object.fromEntries(given), replace: !isStep, resetScroll: false });
    },
  };
}

/** A part of the path, such as `runId`. */
export function useParam(name: string): string {
  const params: Record<string, string | undefined> = useParams({ strict: false });
  return params[name] ?? '';
}
