import { readdirSync, readlinkSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { waitingBytes } from '../../../src/edge/http/waiting-bytes.ts'
import { scratchDirectory } from '../../support/process/server.ts'

const numbered = (count: number, from = 0): Buffer => {
  const bytes = Buffer.alloc(4 * count)
  for (let at = 0; at < count; at += 1) bytes.writeUInt32BE(from + at, 4 * at)
  return bytes
}

function opened(memoryMax: number) {
  const scratch = scratchDirectory()
  onTestFinished(() => scratch.remove())
  const waiting = waitingBytes(memoryMax, scratch.path)
  onTestFinished(() => waiting.drop())
  return { waiting, folder: scratch.path }
}

/** The files of this process that have no name any more. */
const nameless = (folder: string): number =>
  readdirSync('/proc/self/fd').filter((file) => {
    try {
      return readlinkSync(`/proc/self/fd/${file}`).startsWith(`${folder}/.body-`)
    } catch {
      return false
    }
  }).length

describe('bytes that wait', () => {
  it('come in their order from memory, a file, and memory again', async () => {
    const { waiting, folder } = opened(1_000)
    const [put, got]: [Buffer[], Buffer[]] = [[], []]
    let next = 0
    for (let step = 0; step < 400; step += 1) {
      // Now the one is faster, now the other.
      const isFilling = Math.floor(step / 50) % 2 === 0
      for (let times = isFilling ? 3 : 1; times > 0; times -= 1) {
        const piece = numbered(1 + ((step * 37) % 200), next)
        next += piece.length / 4
        put.push(Buffer.from(piece))
        waiting.put(piece)
        // The engine uses its memory again.
        piece.fill(0)
      }
      for (let times = isFilling ? 1 : 4; times > 0; times -= 1) {
        const piece = await waiting.take()
        if (piece !== null) got.push(Buffer.from(piece))
      }
      if (step === 40) expect(nameless(folder)).toBe(1)
    }
    for (let piece = await waiting.take(); piece !== null; piece = await waiting.take())
      got.push(Buffer.from(piece))
    expect(Buffer.concat(got).equals(Buffer.concat(put))).toBe(true)
    expect([waiting.held, readdirSync(folder)]).toEqual([0, []])
  })

  it('leave no file open when they are dropped, in the middle of a read too', async () => {
    for (const isReading of [false, true]) {
      const { waiting, folder } = opened(0)
      waiting.put(numbered(100_000))
      expect(nameless(folder)).toBe(1)
      const reading = isReading ? waiting.take() : null
      waiting.drop()
      await reading
      expect([nameless(folder), waiting.held]).toEqual([0, 0])
    }
  })

  it('cannot be put where there is no folder for their file, and those before stay', async () => {
    const waiting = waitingBytes(8, '/dev/null/folder')
    waiting.put(numbered(2))
    expect(() => waiting.put(numbered(1))).toThrow(/ENOTDIR/)
    expect(Buffer.from((await waiting.take()) ?? [])).toEqual(numbered(2))
    expect(await waiting.take()).toBeNull()
  })
})
