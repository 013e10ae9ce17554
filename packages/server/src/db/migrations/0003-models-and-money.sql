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
  source text not null default 'api',
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
  source text not null default 'api',
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
  request_template jsonb,
  response_parser jsonb,
  price_cards jsonb not null default '[]',
  fallback_model_id text references models (id) on delete set null,
  enabled boolean not null default true,
  source text not null default 'api',
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

-- Rises with every change of the registry, so that each process can tell cheaply whether its copy is old.
create table registry_version (
  id boolean primary key default true,
  version bigint not null,
  constraint registry_version_one_row check (id)
);
create function registry_changed() returns trigger language plpgsql as $$
begin
  insert into registry_version (id, version) values (true, 1)
    on conflict (id) do update set version = registry_version.version + 1;
  return null;
end;
$$;
create trigger vendors_changed after insert or update or delete on vendors
  for each statement execute function registry_changed();
create trigger vendor_endpoints_changed after insert or update or delete on vendor_endpoints
  for each statement execute function registry_changed();
-- A key's last error is a note to the administrator and no change of the registry.
create trigger vendor_keys_changed after insert or delete or update of
  vendor_id, label, secret, serves, weight, requests_per_minute, tokens_per_minute, monthly_budget, enabled on vendor_keys
  for each statement execute function registry_changed();
create trigger models_changed after insert or update or delete on models
  for each statement execute function registry_changed();
create trigger system_agents_changed after insert or update or delete on system_agents
  for each statement execute function registry_changed();

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

-- The days whose sums in usage_daily are whole. A day is Beijing's, as on the vendors' bills.
create table usage_days (
  day date primary key,
  rolled_at timestamptz not null default now()
);
-- A booking that comes late opens its day again. Days are summed up an hour after their end at the earliest, under the
-- exclusive form of this lock, so that a late booking is either in the sum or reopens the day.
create function reopen_usage_day() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock_shared(7070002);
  delete from usage_days where day = (new.started_at at time zone 'Asia/Shanghai')::date;
  return null;
end;
$$;
create trigger model_calls_late after insert or update on model_calls
  for each row when (new.started_at < now() - interval '1 hour') execute function reopen_usage_day();
