import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { z } from 'zod';
import { Config, type Environment } from '../src/config/index.ts';
import type { Database } from '../src/db/index.ts';
import { type CreatedModels, createModels, type ModelsOptions } from '../src/models/index.ts';
import { createLog, createMetrics } from '../src/observability/index.ts';
import { type Simulator, startSimulator } from '../src/simulator/index.ts';

export interface TestModels {
  models: CreatedModels;
  simulator: Simulator;
  /** Every line that was logged. */
  lines: string[];
}

export interface TestModelsOptions extends Partial<Omit<ModelsOptions, 'config' | 'environment' | 'database'>> {
  config?: z.input<typeof Config>['models'];
  environment?: Environment;
  home?: string;
}

/** The models room on a database, with a simulator of its own as the vendor; closed after the file. */
export async function testModels(database: Database, given: TestModelsOptions = {}): Promise<TestModels> {
  const { config, environment, home = temporaryHome(), ...rest } = given;
  const simulator = await startSimulator();
  const lines: string[] = [];
  const models = await createModels({
    database,
    log: createLog('debug', { write: (line) => lines.push(line) }),
    metrics: createMetrics(),
    config: Config.parse({ home, models: config }),
    environment: { VITEST: '1', ...environment },
    simulator: async () => simulator,
    // No jitter: the shortest pauses that the rules allow.
    random: () => 0,
    pollMs: 0,
    ...rest,
  });
  afterAll(async () => {
    models.close();
    await simulator.close();
  });
  return { models, simulator, lines };
}

export function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'kith-home-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
