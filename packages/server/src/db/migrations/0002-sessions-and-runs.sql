-- A conversation. Its three heads number events, messages and actions without gaps, in commit order,
-- because every writer takes them under this row's lock.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  user_id text not null,
  thread_id text not null,
  title text,
  status text not null default 'pending',
  state_snapshot jsonb not null default '{"status": "pending", "pending_tool_call_id": null}',
  runtime_mode text not null default 'chat',
  user_context jsonb,
  billing_currency varchar(3) not null default 'CNY',
  billing_country_snapshot varchar(2) not null default 'CN',
  event_head bigint not null default 0,
  message_head integer not null default 0,
  audit_head integer not null default 0,
  action_head bigint not null default 0,
  turn_head integer not null default 0,
  -- The run that is under way, and its fencing token. It stands here and not only in `runs`, because every writer takes this
  -- row's lock: a condition on this very row is checked again after waiting for it, a join with another table is not.
  holder_run uuid,
  holder_attempt integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint sessions_thread unique (user_id, thread_id),
  constraint sessions_status check (status in ('pending', 'running', 'completed', 'failed')),
  constraint sessions_status_matches_snapshot check (state_snapshot ->> 'status' = status),
  constraint sessions_currency check (billing_currency in ('CNY')),
  constraint sessions_runtime_mode check (runtime_mode in ('chat', 'automation'))
)
-- Every step of a run changes its session and its run, in columns that no index has: with room on the page, such a change is
-- written in place and leaves the indexes alone.
with (fillfactor = 70);
create index sessions_by_user on sessions (user_id, updated_at desc, id);

-- The runs table is the queue's truth: a queue engine only wakes a thread.
create table runs (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions (id) on delete cascade,
  user_id text not null,
  run_id text not null,
  agent text not null default 'default',
  status text not null default 'queued',
  turn integer not null,
  position bigint generated always as identity,
  input jsonb not null,
  attempt integer not null default 0,
  lease_owner text,
  lease_until timestamptz,
  -- Whether its RUN_STARTED still waits for a terminal event.
  stream_open boolean not null default false,
  cancel_requested_at timestamptz,
  cancel_reason text,
  error_id text,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  constraint runs_run_id unique (session_id, run_id),
  constraint runs_status check (status in ('queued', 'running', 'awaiting_approval', 'completed', 'failed', 'canceled'))
) with (fillfactor = 70);
create unique index runs_one_running on runs (session_id) where status = 'running';
create index runs_open on runs (session_id, position) where status in ('queued', 'running', 'awaiting_approval');
create index runs_by_user on runs (user_id, created_at desc);

create table messages (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references sessions (id) on delete cascade,
  run_id text,
  turn integer not null,
  seq integer not null,
  role text not null,
  content text not null,
  metadata jsonb not null,
  visibility_mask integer not null,
  input_tokens integer,
  output_tokens integer,
  cost numeric(20, 12),
  currency varchar(3) not null,
  created_at timestamptz not null default now(),
  constraint messages_seq unique (session_id, seq),
  constraint messages_seq_not_zero check (seq <> 0),
  constraint messages_role check (role in ('user', 'assistant', 'system', 'tool')),
  constraint messages_metadata_type check (metadata ->> 'type' in ('user_input', 'tool_call', 'tool_result', 'assistant_output')),
  constraint messages_visibility check (visibility_mask between 0 and 3),
  constraint messages_cost check (cost >= 0)
);
create index messages_display on messages (session_id, seq) where seq > 0;
create index messages_audit on messages (session_id, seq) where seq < 0;
-- Context is assembled by turn: a message that waited in the queue stands after the answer it waited for.
create index messages_context on messages (session_id, turn, seq) where seq > 0 and (visibility_mask & 2) <> 0;
create index messages_client_id on messages (session_id, (metadata ->> 'client_message_id')) where role = 'user';

create function message_currency_matches_session() returns trigger language plpgsql as $$
declare
  session_currency varchar(3);
begin
  select billing_currency into session_currency from sessions where id = new.session_id;
  if new.currency is distinct from session_currency then
    raise exception 'message currency % does not match session currency %', new.currency, session_currency
      using errcode = 'check_violation';
  end if;
  return new;
end;
$$;
create trigger messages_currency before insert or update on messages
  for each row execute function message_currency_matches_session();

-- The log of what happened in a thread: truth and outbox of every stream.
create table run_events (
  session_id uuid not null references sessions (id) on delete cascade,
  seq bigint not null,
  run_id text not null,
  attempt integer not null,
  type text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  primary key (session_id, seq)
);
create index run_events_by_run on run_events (session_id, run_id, seq);

-- RuntimeState, one row a turn, and its actions: appended, never rewritten.
create table turns (
  session_id uuid not null references sessions (id) on delete cascade,
  turn integer not null,
  run_id text not null,
  prompt text not null,
  task_goal text not null default '',
  scenario text not null default '',
  output_style text not null default '',
  output_structure jsonb not null default '[]',
  todos jsonb not null default '[]',
  memory jsonb not null default '[]',
  usage jsonb not null default '{"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}',
  created_at timestamptz not null default now(),
  primary key (session_id, turn)
);

create table actions (
  session_id uuid not null references sessions (id) on delete cascade,
  turn integer not null,
  id bigint not null,
  node text not null,
  preparation text not null default '',
  summary text not null,
  result jsonb,
  context jsonb,
  relevance real not null default 0,
  usage jsonb not null,
  next jsonb not null,
  duration_ms integer,
  created_at timestamptz not null default now(),
  primary key (session_id, id),
  constraint actions_relevance check (relevance between 0 and 1)
);
create index actions_by_turn on actions (session_id, turn, id);

create table tool_calls (
  session_id uuid not null references sessions (id) on delete cascade,
  tool_call_id text not null,
  run_id text not null,
  turn integer not null,
  module text not null,
  method text not null,
  args jsonb not null,
  status text not null,
  result jsonb,
  expires_at timestamptz,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (session_id, tool_call_id),
  constraint tool_calls_status check (status in ('started', 'succeeded', 'failed', 'awaiting_approval', 'approved', 'rejected', 'unknown'))
);
create index tool_calls_by_run on tool_calls (session_id, run_id);
create index tool_calls_awaiting on tool_calls (session_id, expires_at) where status = 'awaiting_approval';

create table approvals (
  session_id uuid not null,
  tool_call_id text not null,
  decided_by text not null,
  decision text not null,
  edited_args jsonb,
  reason text,
  decided_at timestamptz not null default now(),
  primary key (session_id, tool_call_id),
  foreign key (session_id, tool_call_id) references tool_calls (session_id, tool_call_id) on delete cascade,
  constraint approvals_decision check (decision in ('approved', 'rejected', 'expired'))
);
