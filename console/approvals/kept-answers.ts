import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSession } from '../shell/session.tsx';
import { answersKey } from './answers-key.ts';

/** What somebody answered to warnings, by the keys of the findings. */
type Answers = ReadonlyMap<string, string>;

const NO_ANSWERS: Answers = new Map();

interface KeptAnswers {
  answers: Answers;
  /** Each answer is added to those that are kept by then. */
  keep: (contentHash: string, change: (before: Answers) => Answers) => void;
}

/**
 * What the user answered to the warnings of this content of a run. It is kept while they look elsewhere, in memory and with what was
 * read for them: the page throws both away when they sign out, and when somebody else signs in. Null: no content is known yet.
 */
export function useKeptAnswers(runId: string, contentHash: string | null): KeptAnswers {
  const queries = useQueryClient();
  const { userId } = useSession().user;
  const kept = useQuery<Answers>({
    queryKey: answersKey({ userId, runId, contentHash }),
    queryFn: skipToken,
    initialData: NO_ANSWERS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const keep = useCallback(
    (hash: string, change: (before: Answers) => Answers): void => {
      const key = answersKey({ userId, runId, contentHash: hash });
      queries.setQueryData<Answers>(key, (before) => change(before ?? NO_ANSWERS));
    },
    [queries, userId, runId],
  );
  return { answers: kept.data ?? NO_ANSWERS, keep };
}
