import { afterAll } from 'vitest';
import { startSimulator } from '../index.ts';
import { skills } from './fake-skills.ts';
import type { Scene } from './play.ts';

/** A simulator for a file of tests, with a scene in each language; the two go over different vendors' wires. */
export async function openStage(): Promise<{ zh: Scene; en: Scene; sceneOf(language: string): Scene }> {
  const simulator = await startSimulator();
  afterAll(() => simulator.close());
  const zh: Scene = { url: `${simulator.url}/deepseek/v1`, language: 'zh-CN', tools: skills };
  const en: Scene = { ...zh, url: `${simulator.url}/dashscope/v1`, language: 'en-US' };
  return { zh, en, sceneOf: (language) => (language === 'zh' ? zh : en) };
}
