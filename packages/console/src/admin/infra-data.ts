import {
  EndpointView,
  InvokeResult,
  KeyTestResult,
  KeyView,
  ModelView,
  SystemAgentView,
  VendorView,
} from '@kith/protocol';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, type Contract, segment } from '../api/index.ts';
import { listOf } from './list-of.ts';

const base = 'api/v1/infra';

function useList<Row>(name: string, row: Contract<Row>) {
  return useQuery({
    queryKey: ['infra', name],
    queryFn: ({ signal }) => api.get(`${base}/${name}`, listOf(name, row), { signal }),
  });
}

export const useVendors = () => useList('vendors', VendorView);
export const useEndpoints = () => useList('endpoints', EndpointView);
export const useKeys = () => useList('keys', KeyView);
export const useModels = () => useList('models', ModelView);
export const useAgents = () => useList('agents', SystemAgentView);

const VIEWS = { vendors: VendorView, endpoints: EndpointView, keys: KeyView, models: ModelView } as const;
export type Resource = keyof typeof VIEWS;

/** Rows of the registry: made, changed and removed. One change may show in several lists, so all are asked for again. */
export function useInfraChanges() {
  const queries = useQueryClient();
  const onSettled = () =>
    Promise.all(['infra', 'status'].map((name) => queries.invalidateQueries({ queryKey: [name] })));
  return {
    create: useMutation({
      mutationFn: ({ resource, body }: { resource: Resource; body: object }) =>
        api.post<object>(`${base}/${resource}`, VIEWS[resource], { body }),
      onSettled,
    }),
    change: useMutation({
      mutationFn: ({ resource, id, body }: { resource: Resource; id: string; body: object }) =>
        api.patch<object>(`${base}/${resource}/${segment(id)}`, VIEWS[resource], { body }),
      onSettled,
    }),
    remove: useMutation({
      mutationFn: ({ resource, id }: { resource: Resource; id: string }) =>
        api.delete(`${base}/${resource}/${segment(id)}`),
      onSettled,
    }),
    rotate: useMutation({
      mutationFn: ({ id, secret }: { id: string; secret: string }) =>
        api.post(`${base}/keys/${segment(id)}/rotate`, KeyView, { body: { secret } }),
      onSettled,
    }),
    testKey: useMutation({
      mutationFn: (id: string) => api.post(`${base}/keys/${segment(id)}/test`, KeyTestResult),
      onSettled,
    }),
    invoke: useMutation({
      mutationFn: ({ id, body }: { id: string; body: object }) =>
        api.post(`${base}/models/${segment(id)}/invoke`, InvokeResult, { body }),
    }),
    assign: useMutation({
      mutationFn: ({ agentType, modelId }: { agentType: string; modelId: string }) =>
        api.put(`${base}/agents/${segment(agentType)}`, SystemAgentView, { body: { model_id: modelId } }),
      onSettled,
    }),
    unassign: useMutation({
      mutationFn: (agentType: string) => api.delete(`${base}/agents/${segment(agentType)}`),
      onSettled,
    }),
  };
}
