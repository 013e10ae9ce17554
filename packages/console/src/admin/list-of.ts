import type { Contract } from '../api/index.ts';

/** The answer `{name: [row, …]}` of the infra routes, as its rows. */
export function listOf<Row>(name: string, row: Contract<Row>): Contract<Row[]> {
  return {
    parse(value) {
      const rows =
        typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : [];
      return Array.isArray(rows) ? rows.map((each) => row.parse(each)) : [];
    },
  };
}
