import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { openGraph } from './langgraph.mjs';

export async function open(place) {
  const saver = PostgresSaver.fromConnString(place.databaseUrl);
  await saver.setup();
  return { ...openGraph(place, saver), close: () => saver.end() };
}
