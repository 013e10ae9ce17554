import type { ModelCategory, RegistrySource, VendorAdapter } from '@kith/protocol';
import { z } from 'zod';
import type { Pico, PriceCatalog } from '../../billing/index.ts';
import type { CompiledParser } from '../parsers/compile.ts';

/** What a model can do, as far as a call depends on it. */
export const Capabilities = z
  .object({
    json_schema: z.boolean().optional(),
    json_object: z.boolean().optional(),
    tools: z.boolean().optional(),
    /** Thinking can be switched on and off: reasoning models think, the others do not. */
    thinking: z.boolean().optional(),
    /** Texts in one embedding request. */
    batch: z.int().positive().optional(),
    dimensions: z.int().positive().optional(),
  })
  .catchall(z.json());
export type Capabilities = z.infer<typeof Capabilities>;

export interface Vendor {
  id: string;
  name: string;
  adapter: VendorAdapter;
  enabled: boolean;
  source: RegistrySource;
}

export interface Endpoint {
  id: string;
  vendorId: string;
  label: string;
  baseUrl: string;
  /** Empty: serves all. */
  categories: readonly ModelCategory[];
  /** The lowest is tried first. */
  priority: number;
  enabled: boolean;
}

export interface Key {
  id: string;
  vendorId: string;
  label: string;
  /** As stored: opened only where a request is made. */
  secret: string;
  /** User groups or businesses; empty: everyone whom no other key serves. */
  serves: readonly string[];
  weight: number;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
  monthlyBudget: Pico | null;
  enabled: boolean;
}

export interface Model {
  id: string;
  vendorId: string;
  /** The vendor's own name of it. */
  name: string;
  category: ModelCategory;
  capabilities: Capabilities;
  maxOutputTokens: number | null;
  /** How its requests and answers look where the adapter does not know; compiled. */
  parser: CompiledParser | undefined;
  /** Its own price cards first, then the shipped ones. */
  prices: PriceCatalog;
  fallbackModelId: string | null;
  enabled: boolean;
}

/** The registry at one moment. */
export interface Snapshot {
  version: number;
  vendors: ReadonlyMap<string, Vendor>;
  /** By vendor, in the order in which they are tried. */
  endpoints: ReadonlyMap<string, readonly Endpoint[]>;
  keys: ReadonlyMap<string, readonly Key[]>;
  models: ReadonlyMap<string, Model>;
  /** Agent type → model id. */
  agents: ReadonlyMap<string, string>;
}
