/** The path of a request's url, without the query. */
export function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

export const isApi = (path: string) => path === '/api' || path.startsWith('/api/');
