import { useMutation, useQueryClient } from '@tanstack/react-query';

export interface Action<Input, Answer> {
  do: (input: Input) => void;
  isRunning: boolean;
  error: unknown;
  answer: Answer | undefined;
  reset: () => void;
}

/**
 * Something that changes the database: it is never repeated by itself, and what it changed is read again afterwards. `then`
 * runs once it is recorded.
 */
export function useAction<Input, Answer>(
  work: (input: Input) => Promise<Answer>,
  options: { changes?: readonly (readonly unknown[])[]; then?: (answer: Answer) => void } = {},
): Action<Input, Answer> {
  const queries = useQueryClient();
  const mutation = useMutation({
    mutationFn: work,
    retry: false,
    onSuccess: (answer) => options.then?.(answer),
    // Also after an error: whatever stands on the page may be old.
    onSettled: async () => {
      await Promise.all((options.changes ?? []).map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  return {
    do: (input) => mutation.mutate(input),
    isRunning: mutation.isPending,
    error: mutation.error,
    answer: mutation.data,
    reset: () => mutation.reset(),
  };
}
