import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { FileColumn } from '../../api/payment-file/column.ts';
import { api } from '../calls/api.ts';

/** The columns of payrun, which are the same as long as the page is open. */
export function useFileColumns(): UseQueryResult<FileColumn[]> {
  return useQuery({
    queryKey: ['payment-file', 'columns'],
    queryFn: async ({ signal }) => (await api.listFileColumns({}, { signal })).columns,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
