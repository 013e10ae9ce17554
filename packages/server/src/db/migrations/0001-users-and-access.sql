-- Who is asking, and who may ask.
create table profiles (
  user_id text primary key,
  username text not null,
  display_name text not null,
  bio text,
  email text,
  department text,
  role text,
  custom_fields jsonb not null default '{}',
  settings jsonb not null default '{"version": 2}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint profiles_custom_fields_object check (jsonb_typeof(custom_fields) = 'object'),
  constraint profiles_settings_object check (jsonb_typeof(settings) = 'object')
);
-- By hash: a name may be longer than a b-tree's entry.
create index profiles_username on profiles using hash (username);

-- Keys of services that act for users: only a hash and a prefix are kept.
create table service_keys (
  id uuid primary key default gen_random_uuid(),
  label text not null,
  prefix text not null,
  hash text not null unique,
  role text not null default 'user',
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  constraint service_keys_role check (role in ('user', 'admin'))
);
