import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { EndpointSummary } from '../../api/notifications/endpoint.ts';
import { api } from '../calls/api.ts';

/** Where notifications go. */
export function useEndpoints(): UseQueryResult<EndpointSummary[]> {
  return useQuery({
    queryKey: ['endpoints'],
    queryFn: async ({ signal }) => (await api.listEndpoints({}, { signal })).endpoints,
  });
}
