import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { testKith } from '../test/kith.ts';

/** A request whose body is still on its way. */
function halfRequest(
  url: string,
  body: string,
): Promise<{ socket: Socket; answer: Promise<string>; sendRest(): void }> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = `PUT /api/v1/users/me/profile HTTP/1.1\r\nHost: ${hostname}:${port}\r\nX-User-Id: zhangsan\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`;
  let text = '';
  const answer = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  return new Promise((resolve) => {
    socket.on('data', (data) => {
      text += data;
      // The server asks for the body: the request is under way.
      if (text.includes('100 Continue')) resolve({ socket, answer, sendRest: () => socket.write(body) });
    });
    socket.on('error', () => {});
    socket.write(head);
  });
}

test('a server that stops lets requests under way end, and takes no new ones', async () => {
  const kith = await testKith();
  const request = await halfRequest(kith.url, JSON.stringify({ username: 'zhangsan' }));
  const closing = kith.close();
  await expect(fetch(`${kith.url}/healthz`)).rejects.toThrow();
  request.sendRest();
  expect(await request.answer).toMatch(/HTTP\/1\.1 201[\s\S]*connection: close/i);
  await closing;
});

test('a request that never ends is cut after the grace time', async () => {
  const kith = await testKith({ config: { runs: { graceSeconds: 0.3 } } });
  const request = await halfRequest(kith.url, JSON.stringify({ username: 'zhangsan' }));
  await kith.close();
  expect(await request.answer).not.toContain('201');
});

test('closing twice is closing once', async () => {
  const kith = await testKith();
  await Promise.all([kith.close(), kith.close()]);
});
