import websocket from '@fastify/websocket';
import type { WebSocket } from 'ws';
import { errors } from '../../errors/index.ts';
import type { Routes } from '../app.ts';
import { holdConversation, type SocketServices } from '../socket/connection.ts';

/** The WebSocket: messages, decisions and subscriptions in, events out. */
export function socketRoutes(services: SocketServices): Routes {
  const { config, metrics } = services;
  return async (app) => {
    await app.register(websocket, { options: { maxPayload: config.server.bodyLimit } });
    const open = new Map<WebSocket, { answered: boolean }>();
    const ticker = setInterval(() => {
      for (const [socket, state] of open) {
        if (!state.answered) socket.terminate();
        state.answered = false;
        socket.ping();
      }
    }, config.events.keepAliveSeconds * 1000);
    ticker.unref();
    app.addHook('onClose', async () => clearInterval(ticker));
    app.draining.addEventListener('abort', () => {
      for (const socket of open.keys()) socket.close(1001, 'the server is stopping');
    });
    app.route({
      method: 'GET',
      url: '/api/v1/ws',
      schema: { tags: ['runs'], summary: 'WebSocket: messages `{type, payload}` both ways' },
      config: { tokenInQuery: true },
      exposeHeadRoute: false,
      handler: async () => {
        throw errors.UPGRADE_REQUIRED();
      },
      wsHandler: (socket, request) => {
        const state = { answered: true };
        open.set(socket, state);
        metrics.readers.inc();
        socket.on('pong', () => {
          state.answered = true;
        });
        socket.on('close', () => {
          open.delete(socket);
          metrics.readers.dec();
        });
        holdConversation(services, socket, request.caller, request.log);
      },
    });
  };
}
