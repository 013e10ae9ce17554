import {
  type MemoryCorrection,
  type MemoryInput,
  MemoryPage,
  ProfileSettings,
  StoredMemory,
  type StoredMemoryKind,
} from '@kith/protocol';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, segment } from '../../api/index.ts';
import { useFirstPreferences } from '../first-settings.ts';

export interface MemoryFilter {
  search: string;
  kind: StoredMemoryKind | undefined;
  withOld: boolean;
}

export const useMemories = ({ search, kind, withOld }: MemoryFilter) =>
  useInfiniteQuery({
    queryKey: ['memories', search, kind, withOld],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      api.get('api/v1/memories', MemoryPage, {
        query: { q: search.trim(), kind, status: withOld ? 'all' : 'live', cursor: pageParam, limit: 50 },
        signal,
      }),
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: (previous) => previous,
  });

export function useMemoryChanges() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['memories'] });
  const one = (id: string) => `api/v1/memories/${segment(id)}`;
  return {
    add: useMutation({
      mutationFn: (body: MemoryInput) => api.post('api/v1/memories', StoredMemory, { body }),
      onSettled,
    }),
    correct: useMutation({
      mutationFn: ({ id, ...body }: MemoryCorrection & { id: string }) => api.patch(one(id), StoredMemory, { body }),
      onSettled,
    }),
    forget: useMutation({ mutationFn: (id: string) => api.delete(one(id)), onSettled }),
    forgetAll: useMutation({ mutationFn: () => api.delete('api/v1/memories'), onSettled }),
  };
}

/** The one switch: off means neither read nor learned. */
export function useMemorySwitch() {
  const queries = useQueryClient();
  const preferences = useFirstPreferences();
  return useMutation({
    mutationFn: (isOn: boolean) =>
      api.patch('api/v1/users/me/settings', ProfileSettings, {
        body: { preferences, privacy: { memory_enabled: isOn } },
      }),
    onSuccess: (settings) => {
      queries.setQueryData(['me', 'settings'], settings);
      return queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
}
