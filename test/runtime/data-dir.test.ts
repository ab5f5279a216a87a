import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Refusal } from '../../src/faults.ts'
import { takeDataDir } from '../../src/runtime/data-dir.ts'
import { secretsKeyOf } from '../../src/runtime/secrets-key.ts'
import { scratchDirectory } from '../support/process/server.ts'

let scratch: ReturnType<typeof scratchDirectory>
beforeEach(() => {
  scratch = scratchDirectory()
})
afterEach(() => scratch.remove())

const take = (holder: 'server' | 'command', waitMs = 0, path = join(scratch.path, 'data')) =>
  takeDataDir({ path, holder, waitMs })

describe('a data directory', () => {
  it('is taken by one at a time', async () => {
    const first = await take('server')
    expect(first).not.toBeNull()
    expect(await take('server')).toBeNull()
    expect(await take('command')).toBeNull()
    await first?.release()
    const next = await take('server')
    expect(next).not.toBeNull()
    await next?.release()
  })

  it('is waited for while a command has it', async () => {
    const command = await take('command')
    await expect(take('server')).rejects.toThrow(/Another command is using/)
    const server = take('server', 10_000)
    await command?.release()
    const taken = await server
    expect(taken).not.toBeNull()
    await taken?.release()
  })

  it('is free again when its holder is killed', async () => {
    const path = join(scratch.path, 'data')
    await (await take('server'))?.release()
    const lock = join(path, 'lock')
    const child = spawn('flock', ['--exclusive', lock, 'sh', '-c', 'echo taken; exec sleep 60'])
    await new Promise((done) => child.stdout.once('data', done))
    writeFileSync(lock, JSON.stringify({ holder: 'server', pid: child.pid }))
    expect(await take('server')).toBeNull()
    const ended = new Promise((done) => child.once('exit', done))
    // flock lends its lock to sleep, so both have to go.
    const group = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')
    process.kill(Number(group), 'SIGKILL')
    child.kill('SIGKILL')
    await ended
    const taken = await take('server', 5_000)
    expect(taken).not.toBeNull()
    await taken?.release()
  })

  it('that others can read is refused, with what mends it', async () => {
    const path = join(scratch.path, 'data')
    mkdirSync(path)
    for (const mode of [0o755, 0o750, 0o701, 0o1777]) {
      chmodSync(path, mode)
      await expect(take('server')).rejects.toThrow(/open to other users .*chmod -R go-rwx/)
    }
    chmodSync(path, 0o700)
    await (await take('server'))?.release()
  })

  it('is made for this user alone', async () => {
    const path = join(scratch.path, 'a', 'data')
    await (await take('server', 0, path))?.release()
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(statSync(join(path, 'lock')).mode & 0o777).toBe(0o600)
  })

  it('that cannot be one is refused in one sentence', async () => {
    writeFileSync(join(scratch.path, 'file'), '')
    const refused = take('server', 0, join(scratch.path, 'file'))
    await expect(refused).rejects.toThrow(Refusal)
    await expect(refused).rejects.toThrow(/^DATA_DIR .* cannot be written/)
  })
})

describe('the key that encrypts secrets', () => {
  it('is made once and found again', async () => {
    const made = await secretsKeyOf(scratch.path, null)
    expect(made).toHaveLength(32)
    expect(await secretsKeyOf(scratch.path, null)).toEqual(made)
  })

  it('is that of the setting where there is one', async () => {
    const setting = new Uint8Array(32).fill(9)
    expect(await secretsKeyOf(scratch.path, setting)).toBe(setting)
  })

  it('is never made up when the file is damaged', async () => {
    writeFileSync(join(scratch.path, 'secrets.key'), 'half')
    await expect(secretsKeyOf(scratch.path, null)).rejects.toThrow(/restore it from a backup/)
  })
})
