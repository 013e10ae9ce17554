import { CurrentUser, ProfileSettings, ServerStatus } from '@kith/protocol';
import { useQuery } from '@tanstack/react-query';
import { api } from './request.ts';

export const useStatus = () =>
  useQuery({ queryKey: ['status'], queryFn: ({ signal }) => api.get('api/v1/status', ServerStatus, { signal }) });

export const useCurrentUser = () =>
  useQuery({ queryKey: ['me'], queryFn: ({ signal }) => api.get('api/v1/users/me', CurrentUser, { signal }) });

export const useSettings = () =>
  useQuery({
    queryKey: ['me', 'settings'],
    queryFn: ({ signal }) => api.get('api/v1/users/me/settings', ProfileSettings, { signal }),
    staleTime: 5 * 60_000,
  });
