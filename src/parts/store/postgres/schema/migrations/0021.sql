-- 0021: The console: who may use it, and where they have logged in.

-- password: by Argon2id, in its own notation; null until the link was used, which is forgotten
-- then.
create table users (
  business_id text not null,
  user_id text not null,
  email text not null,
  name text,
  role text not null,
  password text,
  setup_hash bytea,
  setup_ends_at timestamptz,
  version bigint not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (user_id)
);
create unique index users_email on users (lower(email)) where removed_at is null;
create unique index users_setup on users (setup_hash) where setup_hash is not null;

-- hash: of the cookie. One that is over is kept for a while, because it tells a browser from which
-- its user has logged in before from all others.
create table console_sessions (
  hash bytea not null,
  session_id text not null,
  user_id text not null references users (user_id),
  browser text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (hash)
);
create index console_sessions_of_user on console_sessions (user_id, created_at desc);

-- To the minute or so, by processes that take requests.
alter table api_keys add column last_used_at timestamptz;
