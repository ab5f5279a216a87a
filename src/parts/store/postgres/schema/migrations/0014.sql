-- 0014: Images of what a business sells, and files: what is known of each. Their contents are kept
-- elsewhere, under their digests. What the release before writes meanwhile keeps its image.

alter table products add column image_id text;
alter table brands add column image_id text;
alter table addons add column image_id text;
alter table product_collections add column image_id text;

-- kind: image or digital. owner_id: what it was uploaded for. digest: SHA-256, hexadecimal; several
-- rows may have the same one. deleted_at: nobody gets it any more.
create table files (
  business_id text not null,
  mode text not null,
  file_id text not null,
  kind text not null,
  owner_id text not null,
  digest text not null,
  bytes bigint not null,
  media_type text not null,
  file_name text,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (file_id),
  foreign key (business_id, mode) references business_modes
);
create index files_of_owner on files (business_id, mode, owner_id);
