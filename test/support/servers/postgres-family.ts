import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { childrenOf, signal } from '../../chaos/processes.ts'
import type { ServerProcess } from './process.ts'
import { stateOf } from './process.ts'
import { run } from './programs.ts'
import { until } from './until.ts'

/** A PostgreSQL server with its child processes: each method reaches all of them. */
export function family(server: ServerProcess): ServerProcess {
  return {
    pid: server.pid,
    get running() {
      return server.running
    },
    kill,
    end,
    freeze,
    thaw,
  }

  /** Kills the postmaster first, which would start others. */
  async function kill(): Promise<void> {
    if (!server.running) return
    await server.freeze()
    const children = childrenOf(server.pid)
    await server.kill()
    for (const child of children) signal(child, 'SIGKILL')
    await until('the end of its processes', async () => !children.some(isAlive))
  }

  async function end(name: NodeJS.Signals, withinMs: number): Promise<void> {
    if (server.running) await thaw()
    await server.end(name, withinMs)
  }

  async function freeze(): Promise<void> {
    await server.freeze()
    for (const child of childrenOf(server.pid)) signal(child, 'SIGSTOP')
  }

  async function thaw(): Promise<void> {
    for (const child of childrenOf(server.pid)) signal(child, 'SIGCONT')
    await server.thaw()
  }
}

const isAlive = (pid: number): boolean => !['', 'Z'].includes(stateOf(pid))

/**
 * Frees the shared memory that a killed server has left, as its next start would. The server's own
 * pid file names it.
 */
export async function forgetSharedMemory(data: string): Promise<void> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const id = text.split('\n')[6]?.trim().split(/\s+/)[1]
  if (id !== undefined) await run(['ipcrm', '-m', id]).catch(() => undefined)
}
