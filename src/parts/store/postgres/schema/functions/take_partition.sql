-- Takes a partition over: from here on only the new epoch may commit, which no other taker has had,
-- even one whose taking was lost with the store's last commits. [machines#measuring]
create or replace function take_partition(p_partition integer, p_identity text, p_namespace text)
returns checkpoints language sql as $$
  insert into checkpoints as c (partition, log_identity, namespace, epoch)
  values (p_partition, p_identity, p_namespace, drawn_version(1))
  on conflict (partition) do update set epoch = drawn_version(c.epoch + 1)
  returning *
$$;
