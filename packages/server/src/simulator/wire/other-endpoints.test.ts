import { createAlibaba } from '@ai-sdk/alibaba';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Simulator, startSimulator } from '../index.ts';
import { post } from '../testing/chat.ts';
import { vectorOf } from './embeddings.ts';

let simulator: Simulator;
let dashscope: string;

beforeAll(async () => {
  simulator = await startSimulator();
  dashscope = `${simulator.url}/dashscope`;
});
afterAll(() => simulator.close());

const cosine = (one: string, other: string) => {
  const [a, b] = [vectorOf(one), vectorOf(other)];
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
};

describe('embeddings', () => {
  test('have 256 dimensions and length one, and are always the same', async () => {
    const body = { model: 'text-embedding-v4', input: ['我喜欢喝茶', 'I like tea', ''] };
    const ask = async () =>
      (await post(`${dashscope}/v1/embeddings`, body)).json() as Promise<{
        data: { index: number; embedding: number[] }[];
        usage: object;
      }>;
    const first = await ask();
    expect(first.data.map(({ index }) => index)).toEqual([0, 1, 2]);
    for (const { embedding } of first.data) {
      expect(embedding).toHaveLength(256);
      expect(Math.hypot(...embedding)).toBeCloseTo(1, 3);
    }
    expect(first.usage).toEqual({ prompt_tokens: 8, total_tokens: 8 });
    expect(await ask()).toEqual(first);
  });

  test.each([
    ['我喜欢喝茶', '用户喜欢喝绿茶', '明天下午开会'],
    ['The user likes green tea', 'I like tea', 'The quarterly report is late'],
    ['李雷的电话号码', '查一下李雷的电话', '预算是十万元'],
  ])('%s is nearer to %s than to %s', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2);
  });

  test('other dimensions and base64 are given if asked for', async () => {
    const response = await post(`${dashscope}/v1/embeddings`, {
      model: 'm',
      input: 'x y z',
      dimensions: 64,
      encoding_format: 'base64',
    });
    const { data } = (await response.json()) as { data: { embedding: string }[] };
    expect(Buffer.from(data[0]?.embedding ?? '', 'base64').byteLength).toBe(64 * 4);
  });

  test('DashScope’s own endpoint gives the same vectors', async () => {
    const response = await post(`${dashscope}/api/v1/services/embeddings/text-embedding/text-embedding`, {
      model: 'text-embedding-v4',
      input: { texts: ['我喜欢喝茶'] },
    });
    expect(await response.json()).toMatchObject({
      output: { embeddings: [{ text_index: 0, embedding: vectorOf('我喜欢喝茶') }] },
      usage: { total_tokens: 5 },
    });
  });

  test('the provider that Kith calls it with understands them', async () => {
    const model = createAlibaba({
      apiKey: 'sim-x',
      baseURL: `${dashscope}/v1`,
      embeddingBaseURL: `${dashscope}/api/v1`,
    }).embeddingModel('text-embedding-v4');
    expect((await model.doEmbed({ values: ['茶'] })).embeddings[0]).toEqual(vectorOf('茶'));
  });

  test('a body without input is refused', async () => {
    expect((await post(`${dashscope}/v1/embeddings`, { model: 'm' })).status).toBe(400);
  });
});

interface TaskState {
  output: { task_id: string; task_status: string; results?: { url: string }[]; video_url?: string };
  usage?: Record<string, unknown>;
}

describe('images and videos', () => {
  const start = async (kind: string, body: object) =>
    (
      (await (
        await post(`${dashscope}/api/v1/services/aigc/${kind}`, body, { 'x-dashscope-async': 'enable' })
      ).json()) as TaskState
    ).output;
  const state = async (id: string) =>
    (await (
      await fetch(`${dashscope}/api/v1/tasks/${id}`, { headers: { authorization: 'Bearer sim-test' } })
    ).json()) as TaskState;
  const finished = async (kind: string, body: object) => {
    const { task_id, task_status } = await start(kind, body);
    expect(task_status).toBe('PENDING');
    expect((await state(task_id)).output.task_status).toBe('RUNNING');
    return state(task_id);
  };

  test('an image task runs, ends, and links to a real picture that the prompt alone decides', async () => {
    const body = { model: 'wan2.5-t2i', input: { prompt: '一只鲸鱼' }, parameters: { n: 2 } };
    const first = await finished('text2image/image-synthesis', body);
    expect(first).toMatchObject({ output: { task_status: 'SUCCEEDED' }, usage: { image_count: 2 } });
    const urls = first.output.results?.map(({ url }) => url) ?? [];
    expect(new Set(urls).size).toBe(2);
    const picture = await fetch(urls[0] ?? '');
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(
      Buffer.from(await picture.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect((await finished('text2image/image-synthesis', body)).output.results).toEqual(first.output.results);
  });

  test('a video task tells its seconds', async () => {
    const body = {
      model: 'wan2.5-t2v-preview',
      input: { prompt: 'a whale' },
      parameters: { duration: 10, resolution: '1080P' },
    };
    const done = await finished('video-generation/video-synthesis', body);
    expect(done).toMatchObject({
      output: { task_status: 'SUCCEEDED' },
      usage: { duration: 10, SR: 1080, video_count: 1 },
    });
    expect((await fetch(done.output.video_url ?? '')).headers.get('content-type')).toBe('video/mp4');
  });

  test('the newer image models answer at once', async () => {
    const body = { model: 'qwen-image', input: { messages: [{ role: 'user', content: [{ text: 'a whale' }] }] } };
    const response = await post(`${dashscope}/api/v1/services/aigc/multimodal-generation/generation`, body);
    expect(await response.json()).toMatchObject({
      output: { choices: [{ message: { content: [{ image: expect.stringContaining('/media/') }] } }] },
      usage: { image_count: 1 },
    });
  });

  test('a task that nobody started is unknown', async () => {
    expect((await state('nothing')).output.task_status).toBe('UNKNOWN');
  });
});
