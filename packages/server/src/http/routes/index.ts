import type { Automation } from '../../automation/index.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../db/index.ts';
import type { Streams } from '../../events/index.ts';
import type { Files } from '../../files/index.ts';
import type { Identity, ServiceKeys } from '../../identity/index.ts';
import type { Memory } from '../../memory/index.ts';
import type { CreatedModels } from '../../models/index.ts';
import type { Metrics } from '../../observability/index.ts';
import type { Runs } from '../../runs/index.ts';
import type { Sessions } from '../../sessions/index.ts';
import type { Skills } from '../../skills/index.ts';
import type { Users } from '../../users/index.ts';
import type { Routes } from '../app.ts';
import { automationRoutes } from './automations.ts';
import { calendarRoutes } from './calendar.ts';
import { contactRoutes } from './contacts.ts';
import { conversationRoutes } from './conversation.ts';
import { fileRoutes } from './files.ts';
import { infraAgentRoutes } from './infra-agents.ts';
import { infraEndpointRoutes } from './infra-endpoints.ts';
import { infraKeyRoutes } from './infra-keys.ts';
import { infraModelRoutes } from './infra-models.ts';
import { infraVendorRoutes } from './infra-vendors.ts';
import { memoryRoutes } from './memories.ts';
import { profileRoutes } from './profiles.ts';
import { skillRoutes } from './skills.ts';
import { statusRoutes } from './status.ts';
import { usageRoutes } from './usage.ts';

/** What routes are made of: the rooms, as `compose.ts` builds them. A file of routes asks for those it needs. */
export interface Services {
  config: Config;
  database: Database;
  metrics: Metrics;
  identity: Identity;
  serviceKeys: ServiceKeys;
  users: Users;
  sessions: Sessions;
  models: CreatedModels;
  skills: Skills;
  memory: Memory;
  files: Files;
  streams: Streams;
  runs: Runs;
  automation: Automation;
}

/** Every file of routes, once. */
export function routesOf(services: Services): Routes[] {
  return [
    conversationRoutes(services),
    profileRoutes(services),
    infraVendorRoutes(services),
    infraEndpointRoutes(services),
    infraKeyRoutes(services),
    infraModelRoutes(services),
    infraAgentRoutes(services),
    statusRoutes(services),
    usageRoutes(services),
    fileRoutes(services),
    memoryRoutes(services),
    automationRoutes(services),
    skillRoutes(services),
    calendarRoutes(services),
    contactRoutes(services),
  ];
}
