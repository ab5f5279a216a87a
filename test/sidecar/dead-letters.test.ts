import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDeadLetters } from '../../src/sidecar/dead-letters.ts'
import { manualClock } from '../support/edge/test-server.ts'
import { scratchDirectory } from '../support/process/server.ts'

let scratch: ReturnType<typeof scratchDirectory>
let path: string
beforeEach(() => {
  scratch = scratchDirectory()
  path = join(scratch.path, 'dead.ndjson')
})
afterEach(() => scratch.remove())

const reason = { status: 404, code: 'NOT_FOUND', message: 'No.' }
const event = (id: string): string => `{"event_id":"${id}"}`

async function adding(...ids: readonly string[]): Promise<void> {
  const letters = await openDeadLetters(path, manualClock())
  const text = Buffer.from('x'.repeat(100_000))
  const line = { number: 7, bytes: text, isTooLong: false }
  await Promise.all(
    ids.flatMap((id) => [letters.add([event(id)], reason), letters.addLine(line, reason)]),
  )
  await letters.close()
}

/** Each line must be whole. */
const found = (): readonly string[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map((letter) => letter.event?.event_id ?? letter.line)

describe('dead letters', () => {
  it('stand in whole lines, whoever writes them at once', async () => {
    await adding('a', 'b', 'c')
    await adding('d')
    expect(found()).toEqual(['a', 7, 'b', 7, 'c', 7, 'd', 7])
  })

  it('lose what a crash has left of a line, and nothing else', async () => {
    await adding('a')
    appendFileSync(path, '{"refused_at":"2026-01-31T12:00:00Z","reason":{"status":404,"code":"NOT')
    await adding('b')
    expect(found()).toEqual(['a', 7, 'b', 7])
    writeFileSync(path, `{"event":${event('edited')}}`)
    await adding('c')
    expect(found()).toEqual(['edited', 'c', 7])
    truncateSync(path, 0)
    await adding('d')
    expect(found()).toEqual(['d', 7])
  })
})
