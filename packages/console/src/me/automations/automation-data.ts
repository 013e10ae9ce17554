import { Automation, type AutomationInput, AutomationList, AutomationRun, AutomationRunPage } from '@kith/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, segment } from '../../api/index.ts';

const base = 'api/v1/automations';
const one = (id: string) => `${base}/${segment(id)}`;

export const useAutomations = () =>
  useQuery({
    queryKey: ['automations'],
    queryFn: ({ signal }) => api.get(base, AutomationList, { signal }),
    refetchInterval: 30_000,
  });

/** Looked at more often while something is under way. */
export const useAutomationRuns = (id: string, isShown: boolean) =>
  useQuery({
    queryKey: ['automations', id, 'runs'],
    queryFn: ({ signal }) => api.get(`${one(id)}/runs`, AutomationRunPage, { query: { limit: 20 }, signal }),
    enabled: isShown,
    refetchInterval: ({ state }) => (state.data?.runs.some(({ outcome }) => outcome === 'started') ? 1000 : 30_000),
  });

export function useAutomationChanges() {
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: ['automations'] });
  return {
    save: useMutation({
      mutationFn: ({ id, ...body }: AutomationInput & { id: string | undefined }) =>
        id ? api.patch(one(id), Automation, { body }) : api.post(base, Automation, { body }),
      onSettled,
    }),
    pause: useMutation({ mutationFn: (id: string) => api.post(`${one(id)}/pause`, Automation), onSettled }),
    resume: useMutation({ mutationFn: (id: string) => api.post(`${one(id)}/resume`, Automation), onSettled }),
    runNow: useMutation({ mutationFn: (id: string) => api.post(`${one(id)}/run`, AutomationRun), onSettled }),
    remove: useMutation({ mutationFn: (id: string) => api.delete(one(id)), onSettled }),
  };
}
