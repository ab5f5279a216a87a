import type { TestRedis } from '../../test/support/servers/redis.ts'

/** CPU time that a Redis has used so far, in microseconds. */
export async function redisMicros(server: TestRedis): Promise<number> {
  const user = await infoOf(server, 'cpu', 'used_cpu_user')
  return (user + (await infoOf(server, 'cpu', 'used_cpu_sys'))) * 1e6
}

/** A number that a Redis tells of itself. */
export async function infoOf(server: TestRedis, section: string, field: string): Promise<number> {
  const found = new RegExp(`^${field}:([\\d.]+)`, 'm').exec(await server.cli('INFO', section))
  return Number(found?.[1])
}
