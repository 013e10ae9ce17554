-- The registry is data: a vendor with endpoints, keys and models.
create table vendors (
  id text primary key,
  name text not null,
  adapter text not null,
  enabled boolean not null default true,
  source text not null default 'api',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint vendors_adapter check (adapter in ('deepseek', 'alibaba', 'openai-compatible', 'http')),
  constraint vendors_source check (source in ('api', 'config', 'environment', 'simulator'))
);

create table vendor_endpoints (
  id uuid primary key default gen_random_uuid(),
  vendor_id text not null references vendors (id) on delete cascade,
  label text not null default 'default',
  base_url text not null,
  categories jsonb not null default '[]',
  priority integer not null default 0,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  constraint vendor_endpoints_label unique (vendor_id, label)
);

create table vendor_keys (
  id uuid primary key default gen_random_uuid(),
  vendor_id text not null references vendors (id) on delete cascade,
  label text not null,
  prefix text not null,
  secret text not null,
  serves jsonb not null default '[]',
  weight integer not null default 1,
  requests_per_minute integer,
  tokens_per_minute integer,
  monthly_budget numeric(20, 12),
  enabled boolean not null default true,
  last_error text,
  last_error_at timestamptz,
  created_at timestamptz not null default now(),
  rotated_at timestamptz,
  constraint vendor_keys_label unique (vendor_id, label),
  constraint vendor_keys_weight check (weight >= 0)
);

create table models (
  id text primary key,
  vendor_id text not null references vendors (id) on delete cascade,
  name text not null,
  category text not null,
  version text,
  capabilities jsonb not null default '{}',
  context_window integer,
  max_output_tokens integer,
  response_parser jsonb,
  price_cards jsonb not null default '[]',
  fallback_model_id text references models (id) on delete set null,
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint models_category check (category in ('text', 'reasoning', 'embedding', 'multimodal', 'text-to-image', 'text-to-video'))
);
create index models_by_vendor on models (vendor_id);

create table system_agents (
  agent_type text primary key,
  model_id text not null references models (id) on delete restrict,
  source text not null default 'api',
  updated_at timestamptz not null default now()
);

-- Every call to a model, failed and lost ones too. Append-only but for the end of a call that was announced.
create table model_calls (
  id uuid primary key,
  user_id text,
  session_id uuid references sessions (id) on delete set null,
  run_id text,
  message_id uuid,
  agent_type text not null,
  vendor_id text,
  endpoint_id uuid,
  key_id uuid,
  model_id text,
  status text not null,
  raw_usage jsonb,
  usage_summary jsonb,
  input_tokens integer,
  output_tokens integer,
  cached_tokens integer,
  reasoning_tokens integer,
  cost numeric(20, 12),
  currency varchar(3) not null default 'CNY',
  cost_source text,
  price_card text,
  latency_ms integer,
  attempts integer not null default 1,
  error text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  constraint model_calls_status check (status in ('started', 'succeeded', 'failed', 'lost')),
  constraint model_calls_cost check (cost >= 0)
);
create index model_calls_by_run on model_calls (session_id, run_id);
create index model_calls_by_message on model_calls (message_id) where message_id is not null;
create index model_calls_by_day on model_calls (started_at);
create index model_calls_by_user on model_calls (user_id, started_at);

-- Sums of whole days that are over, for the charts.
create table usage_daily (
  day date not null,
  user_id text not null default '',
  session_id text not null default '',
  model_id text not null default '',
  vendor_id text not null default '',
  key_id text not null default '',
  model_calls integer not null,
  unpriced_calls integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  cached_tokens bigint not null,
  reasoning_tokens bigint not null,
  cost numeric(24, 12) not null,
  primary key (day, user_id, session_id, model_id, vendor_id, key_id)
);
