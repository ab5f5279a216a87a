-- Takes a partition over: from here on only the new epoch may commit. [machines#measuring]
create or replace function take_partition(p_partition integer, p_identity text, p_namespace text)
returns checkpoints language sql as $$
  insert into checkpoints as c (partition, log_identity, namespace, epoch)
  values (p_partition, p_identity, p_namespace, 1)
  on conflict (partition) do update set epoch = c.epoch + 1
  returning *
$$;
