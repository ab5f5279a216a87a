import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestServer } from '../../support/edge/test-server.ts'
import { keys, testServer } from '../../support/edge/test-server.ts'
import { scratchDirectory } from '../../support/process/server.ts'
import { describeWith } from '../../support/servers/describe-with.ts'
import { onPath } from '../../support/servers/programs.ts'
import { native, routes } from './setup.ts'

const strace = onPath('strace')
const scratch = scratchDirectory()
afterAll(() => scratch.remove())
const missing =
  strace === null || !mayTrace() ? 'strace on PATH, that may trace this process' : null

/** Where Yama is at work, only root may trace a process that it has not started. */
function mayTrace(): boolean {
  try {
    const scope = readFileSync('/proc/sys/kernel/yama/ptrace_scope', 'utf8').trim()
    return scope === '0' || process.getuid?.() === 0
  } catch {
    return true
  }
}

const isTraced = (): boolean =>
  /^TracerPid:\s*[1-9]/m.test(readFileSync('/proc/self/status', 'utf8'))

/** One connection, and one request after the other, from a process of its own. */
const client = `
  const [port, count, authorization] = process.argv.slice(1)
  const { connect } = require('node:net')
  const socket = connect(Number(port), '127.0.0.1')
  const request = 'GET /who HTTP/1.1\\r\\nhost: x\\r\\nauthorization: ' + authorization + '\\r\\n\\r\\n'
  let left = Number(count)
  const ask = () => { left -= 1; socket.write(request) }
  socket.on('data', (text) => {
    if (!String(text).startsWith('HTTP/1.1 200')) process.exit(1)
    if (left === 0) process.exit(0)
    ask()
  })
  ask()
`

describeWith(missing, 'a request by itself', () => {
  let at: TestServer
  beforeAll(async () => {
    at = await testServer(native, routes)
  })
  afterAll(() => at.server.stop(1_000))

  it('takes one receive and one send', async () => {
    await ask(20)
    const count = 200
    const calls = await counted(() => ask(count))
    const of = (...names: readonly string[]) =>
      names.reduce((sum, name) => sum + (calls.get(name) ?? 0), 0)
    // The first and the last of them also see a connection come and go.
    expect(of('recvfrom', 'read', 'readv', 'recvmsg')).toBeLessThan(count * 1.1)
    expect(of('sendto', 'write', 'writev', 'sendmsg')).toBeLessThan(count * 1.1)
    const receives = native.kind === 'node_http' ? 'read' : 'recvfrom'
    expect(of(receives)).toBeGreaterThanOrEqual(count)
  })

  async function ask(count: number): Promise<void> {
    const words = ['-e', client, `${at.port}`, `${count}`, `Bearer ${keys.read}`]
    const [status] = await once(spawn(process.execPath, words, { stdio: 'inherit' }), 'exit')
    expect(status).toBe(0)
  }
})

/** The system calls of this thread while it works, by name. */
async function counted(work: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const traced = 'trace=recvfrom,read,readv,recvmsg,sendto,write,writev,sendmsg'
  // To a file: who reads along makes system calls, too.
  const path = join(scratch.path, 'calls')
  const looking = spawn(strace ?? '', ['-p', `${process.pid}`, '-e', traced, '-qq', '-o', path], {
    stdio: 'ignore',
  })
  const ended = once(looking, 'close')
  await expect.poll(isTraced).toBe(true)
  await work()
  looking.kill('SIGINT')
  await ended
  const told = readFileSync(path, 'utf8')
  const counts = new Map<string, number>()
  for (const [, name = ''] of told.matchAll(/^(\w+)\(/gm)) {
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
