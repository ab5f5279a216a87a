import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { devNull } from 'node:os'
import { describe, expect, it } from 'vitest'
import { canOpen } from '../../../src/edge/http/descriptors.ts'
import { engines, suite } from './setup.ts'

const limits = (...words: readonly string[]): string =>
  execFileSync('prlimit', ['--pid', String(process.pid), ...words], { encoding: 'utf8' })
const softLimit = (): number => Number(limits('--nofile', '--output', 'SOFT', '--noheadings'))
const limitTo = (soft: number): string => limits(`--nofile=${soft}:`)

/** What connecting ends with. */
function attempt(port: number): Promise<string> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      done('connected')
    })
    socket.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? 'failed'))
  })
}

describe.each(engines)('descriptors that run out on $kind', (engine) => {
  const on = suite(engine)

  it('refuses connections instead of spinning, and listens again when there are more', async () => {
    const before = softLimit()
    const taken: number[] = []
    try {
      limitTo(readdirSync('/proc/self/fd').length + 64)
      while (taken.length < 1_000) taken.push(openSync(devNull, 'r'))
    } catch {
      // That was the last one. The client needs a few, the server keeps more than these back.
      for (const one of taken.splice(-8)) closeSync(one)
    }
    expect(canOpen(9)).toBe(false)
    await expect.poll(() => attempt(on.at.port)).toBe('ECONNREFUSED')
    for (const one of taken) closeSync(one)
    limitTo(before)
    await expect.poll(() => attempt(on.at.port)).toBe('connected')
    expect((await on.get('/open')).status).toBe(200)
    expect(on.at.told.logged.map(({ message }) => message).join()).toContain('Few descriptors')
  })
})
