import type { Routes } from '../app.ts';
import type { SocketServices } from '../socket/connection.ts';
import { createEventStreams } from '../streaming/sse.ts';
import { agUiRoutes } from './agui.ts';
import { type ChatServices, chatRoutes } from './chat.ts';
import { type CopilotKitServices, copilotKitRoutes } from './copilotkit.ts';
import { historyRoutes } from './history.ts';
import { runEventRoutes } from './run-events.ts';
import { runRoutes } from './runs.ts';
import { type SessionServices, sessionRoutes } from './sessions.ts';
import { socketRoutes } from './socket.ts';

export type ConversationServices = SessionServices &
  ChatServices &
  SocketServices &
  Omit<CopilotKitServices, 'eventStreams'>;

/** Everything that is said with the agent, in all the ways there are to say it. */
export function conversationRoutes(services: ConversationServices): Routes {
  return async (app) => {
    const eventStreams = createEventStreams(app, {
      keepAliveSeconds: services.config.events.keepAliveSeconds,
      readers: services.metrics.readers,
    });
    const streaming = { ...services, eventStreams };
    await app.register(sessionRoutes(services));
    await app.register(historyRoutes(services));
    await app.register(runRoutes(services));
    await app.register(runEventRoutes(streaming));
    await app.register(agUiRoutes(streaming));
    await app.register(copilotKitRoutes(streaming));
    await app.register(chatRoutes(services));
    await app.register(socketRoutes(services));
  };
}
