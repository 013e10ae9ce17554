create table contacts (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  contact_user_id text,
  name text not null,
  pinyin text not null default '',
  email text,
  phone text,
  department text,
  title text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index contacts_by_user on contacts (user_id, name);

create table calendar_events (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  title text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  all_day boolean not null default false,
  timezone text not null,
  location text,
  description text,
  recurrence text,
  -- An occurrence that differs from its series.
  series_id uuid references calendar_events (id) on delete cascade,
  original_start timestamptz,
  canceled boolean not null default false,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint calendar_events_order check (ends_at >= starts_at),
  constraint calendar_events_occurrence unique (series_id, original_start)
);
create index calendar_events_by_user on calendar_events (user_id, starts_at);
create index calendar_events_recurring on calendar_events (user_id) where recurrence is not null;

create table calendar_participants (
  event_id uuid not null references calendar_events (id) on delete cascade,
  participant text not null,
  user_id text,
  contact_id uuid,
  name text not null,
  permission text not null default 'view',
  status text not null default 'invited',
  reason text,
  updated_at timestamptz not null default now(),
  primary key (event_id, participant),
  constraint calendar_participants_permission check (permission in ('view', 'edit')),
  constraint calendar_participants_status check (status in ('invited', 'accepted', 'rejected'))
);
create index calendar_participants_by_user on calendar_participants (user_id) where user_id is not null;

-- What is remembered of a user: facts are appended and superseded, never rewritten; turns are kept verbatim.
create table memories (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  kind text not null,
  content text not null,
  -- For turns: the turn before it, searched together with it.
  context text not null default '',
  -- The tokens of both, with spaces between them.
  terms text not null default '',
  context_terms text not null default '',
  -- The model of its vectors, and one bit per dimension of them: enough to choose which vectors to compare.
  embedding_model text,
  signs bytea,
  -- Two statements that differ only in case, width, spaces or a closing full stop are one.
  fingerprint text not null default '',
  source jsonb not null default '{}',
  valid_from timestamptz not null default now(),
  valid_to timestamptz,
  superseded_by uuid references memories (id) on delete set null,
  last_used_at timestamptz,
  uses integer not null default 0,
  -- The user's version in memory_versions when this row was last written, use counts aside.
  revision bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint memories_kind check (kind in ('fact', 'preference', 'work_profile', 'gist', 'turn'))
);
create index memories_by_user on memories (user_id, kind) where valid_to is null;
create index memories_listed on memories (user_id, created_at desc, id desc);
create index memories_log on memories (user_id, revision, id);
create index memories_fingerprint on memories (user_id, fingerprint) where valid_to is null and kind <> 'turn';
create index memories_superseded on memories (superseded_by) where superseded_by is not null;

-- The vectors of a memory: of its text, and of its text with the one before it (null where there is none). They are kept
-- in the row itself as far as a page allows, because a search reads hundreds of them.
create table memory_vectors (
  memory_id uuid primary key references memories (id) on delete cascade,
  user_id text not null,
  model text not null,
  embedding real[] not null,
  context_embedding real[]
) with (toast_tuple_target = 8160);
alter table memory_vectors alter column embedding set storage main, alter column context_embedding set storage main;

-- Rises with every write to a user's memories; whoever writes holds the row until the commit, so that versions become
-- visible in order and an index is brought up to date by reading what came after its own. Forgetting starts a new epoch:
-- every index of the old one is thrown away.
create table memory_versions (
  user_id text primary key,
  version bigint not null,
  epoch uuid not null default gen_random_uuid()
);

create table files (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  name text not null,
  media_type text not null,
  kind text not null default 'other',
  size bigint not null,
  sha256 text not null,
  provider text not null default 'local',
  path text not null,
  status text not null default 'stored',
  -- Whoever reads the file holds it until then; after a crash another may take it over.
  processing_until timestamptz,
  error jsonb,
  summary jsonb,
  -- What ranking needs to know of all passages together.
  chunk_count integer not null default 0,
  term_count bigint not null default 0,
  created_at timestamptz not null default now(),
  constraint files_kind check (kind in ('document', 'table', 'other')),
  constraint files_status check (status in ('stored', 'processing', 'ready', 'failed')),
  constraint files_provider check (provider in ('local', 'aliyun', 'tencent', 'aws', 'gcp', 'gcc'))
);
create index files_by_user on files (user_id, created_at desc, id);

-- A file is uploaded once and may serve several sessions.
create table session_files (
  session_id uuid not null references sessions (id) on delete cascade,
  file_id uuid not null references files (id) on delete cascade,
  user_id text not null,
  position bigint generated always as identity,
  primary key (session_id, file_id)
);
create index session_files_by_file on session_files (file_id);

create table file_chunks (
  file_id uuid not null references files (id) on delete cascade,
  user_id text not null,
  position integer not null,
  page integer,
  text text not null,
  terms text[] not null default '{}',
  embedding real[],
  primary key (file_id, position)
);
create index file_chunks_by_user on file_chunks (user_id);
create index file_chunks_terms on file_chunks using gin (terms);

create table automation_jobs (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  name text not null,
  prompt text not null,
  schedule jsonb not null,
  timezone text not null,
  config jsonb not null default '{}',
  status text not null default 'active',
  missed_policy text not null default 'skip',
  overlap_policy text not null default 'skip',
  session_id uuid references sessions (id) on delete set null,
  next_due_at timestamptz,
  last_due_at timestamptz,
  last_run_id text,
  failures integer not null default 0,
  last_error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint automation_jobs_status check (status in ('active', 'paused', 'finished')),
  constraint automation_jobs_missed check (missed_policy in ('skip', 'run_once', 'run_all')),
  constraint automation_jobs_overlap check (overlap_policy in ('skip', 'enqueue', 'interrupt'))
);
create index automation_jobs_due on automation_jobs (next_due_at) where status = 'active';
create index automation_jobs_by_user on automation_jobs (user_id);

-- One row per due time: the primary key is what makes a due time run once.
create table automation_runs (
  job_id uuid not null references automation_jobs (id) on delete cascade,
  due_at timestamptz not null,
  session_id uuid references sessions (id) on delete set null,
  run_id text,
  outcome text not null default 'started',
  -- Why it was skipped, or what it failed with.
  reason text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (job_id, due_at),
  constraint automation_runs_outcome check (outcome in ('started', 'skipped', 'completed', 'failed', 'canceled'))
);
create index automation_runs_open on automation_runs (job_id) where outcome = 'started';
