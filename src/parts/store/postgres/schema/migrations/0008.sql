-- 0008: The stream of a business and mode: its messages in one order, without gaps.
--
-- What the release before relays meanwhile has no number, and is in no stream.

-- stream_id: stands in the places that readers come back with. last_number: of the newest message;
-- one that no message has is a gap that readers are told of. kept: facts become messages although
-- no endpoint wants them. read_at: when somebody last read it, to half an hour.
create table webhook_streams (
  business_id text not null,
  mode text not null,
  stream_id text not null,
  last_number bigint not null default 0,
  kept boolean not null default true,
  read_at timestamptz not null,
  primary key (business_id, mode),
  foreign key (business_id, mode) references business_modes
);

alter table messages add column stream_number bigint;
create unique index messages_in_stream on messages (business_id, mode, stream_number)
  where stream_number is not null;
