import { execFileSync } from 'node:child_process'
import {
  constants,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodeFrame } from '../../src/sidecar/frame.ts'
import { numberOf } from '../../src/sidecar/segment.ts'
import { scratchDirectory } from '../support/process/server.ts'
import { quiet, rememberingLogger } from '../support/runtime/logger.ts'
import { bounds, drained, framed, mebibyte, openTestSpool } from './setup.ts'

let scratch: ReturnType<typeof scratchDirectory>
beforeEach(() => {
  scratch = scratchDirectory()
})
afterEach(() => scratch.remove())

const segmentsIn = (path: string): string[] =>
  readdirSync(path)
    .filter((name) => numberOf(name) !== null)
    .map((name) => join(path, name))

function readlinkIfThere(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

/** Whether this user may mount a disk of 64 KiB there. */
function mountsSmallDisk(path: string): boolean {
  try {
    const options = ['-t', 'tmpfs', '-o', 'size=64k', 'none', path]
    execFileSync('mount', options, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const ids = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `e${from + index}`)

describe('a spool', () => {
  it('gives back what was appended, in order, in parcels that are full', async () => {
    const spool = await openTestSpool(scratch.path)
    await Promise.all([0, 40, 80].map((from) => spool.append(framed(ids(from, 40)))))
    expect(spool.events).toBe(120)
    const parcels = await drained(spool, { events: 50, bytes: mebibyte })
    expect(parcels.map((parcel) => parcel.length)).toEqual([50, 50, 20])
    expect(parcels.flat()).toEqual(ids(0, 120))
    expect(spool.events).toBe(0)
    expect(spool.oldestAt).toBeNull()
    await spool.close()
  })

  it.runIf(process.platform === 'linux')('writes so that a write is synced', async () => {
    const spool = await openTestSpool(scratch.path)
    await spool.append(framed(ids(0, 1)))
    const written = realpathSync(segmentsIn(scratch.path)[0] ?? '')
    const descriptor = readdirSync('/proc/self/fd').find((fd) => {
      return readlinkIfThere(`/proc/self/fd/${fd}`) === written
    })
    const info = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')
    const flags = Number.parseInt(/^flags:\s+([0-7]+)/m.exec(info)?.[1] ?? '', 8)
    expect(flags & constants.O_DSYNC).toBe(constants.O_DSYNC)
    await spool.close()
  })

  it('bounds a parcel by bytes, but takes one event however large', async () => {
    const spool = await openTestSpool(scratch.path)
    await spool.append(framed(ids(0, 5)))
    const line = framed(['e0']).text.length
    const parcels = await drained(spool, { events: 1_000, bytes: line * 2 + 20 })
    expect(parcels.map((parcel) => parcel.length)).toEqual([2, 2, 1])
    await spool.append(framed(['a', 'b']))
    expect(await drained(spool, { events: 9, bytes: 1 })).toEqual([['a'], ['b']])
    await spool.close()
  })

  it('begins the next parcel with an id that this one has already', async () => {
    const spool = await openTestSpool(scratch.path)
    const tricky = 'a","customer_id":"x'
    for (const group of [
      ['a', 'b'],
      ['c', 'a'],
      [tricky, 'a'],
    ])
      await spool.append(framed(group))
    expect(await drained(spool)).toEqual([['a', 'b', 'c'], ['a', tricky], ['a']])
    await spool.close()
  })

  it('goes on after a restart behind what was forwarded, inside of a frame too', async () => {
    const first = await openTestSpool(scratch.path)
    for (const from of [0, 10, 20]) await first.append(framed(ids(from, 10)))
    const parcel = await first.next({ events: 14, bytes: mebibyte })
    if (parcel !== null) await first.forwarded(parcel)
    await first.append(framed(ids(30, 2)))
    await first.close()
    const second = await openTestSpool(scratch.path)
    expect(second.events).toBe(18)
    await second.append(framed(ids(32, 2)))
    expect((await drained(second)).flat()).toEqual(ids(14, 20))
    await second.close()
    const third = await openTestSpool(scratch.path)
    expect(third.events).toBe(0)
    expect(segmentsIn(scratch.path)).toEqual([])
    await third.close()
  })

  it('keeps what was promised wherever a crash cuts a later write', async () => {
    const spool = await openTestSpool(scratch.path)
    await spool.append(framed(ids(0, 2)))
    const promised = spool.bytes
    await spool.append(framed(ids(2, 1)))
    await spool.close()
    const [path = ''] = segmentsIn(scratch.path)
    const whole = statSync(path).size
    for (let cut = promised; cut <= whole; cut += 7) {
      const copy = join(scratch.path, `cut-${cut}`)
      mkdirSync(copy)
      copyFileSync(path, join(copy, '0000000001.spool'))
      truncateSync(join(copy, '0000000001.spool'), cut)
      const reopened = await openTestSpool(copy)
      await reopened.append(framed(['later']))
      const left = (await drained(reopened)).flat()
      expect(left).toEqual(cut === whole ? [...ids(0, 3), 'later'] : [...ids(0, 2), 'later'])
      await reopened.close()
    }
  })

  it('says what it cuts off, where nothing is left besides', async () => {
    const spool = await openTestSpool(scratch.path)
    await spool.append(framed(['a']))
    await spool.close()
    const [path = ''] = segmentsIn(scratch.path)
    truncateSync(path, 50)
    const logger = rememberingLogger()
    const reopened = await openTestSpool(scratch.path, { logger })
    await reopened.close()
    const [{ fields } = { fields: null }, ...others] = logger.told
    expect([fields, others]).toEqual([{ name: '0000000001.spool', bytes: 50 }, []])
    expect(segmentsIn(scratch.path)).toEqual([])
  })

  it('reads no frame whose bytes have changed, and puts their segment aside', async () => {
    const spool = await openTestSpool(scratch.path)
    for (const id of ['a', 'b', 'c']) await spool.append(framed([id]))
    await spool.close()
    const [path = ''] = segmentsIn(scratch.path)
    const bytes = readFileSync(path)
    const size = encodeFrame(framed(['a'])).length
    bytes[size + 30] = (bytes[size + 30] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const reopened = await openTestSpool(scratch.path)
    expect(await drained(reopened)).toEqual([['a', 'c']])
    await reopened.append(framed(['d']))
    await drained(reopened)
    await reopened.close()
    expect(readdirSync(scratch.path)).toContain('0000000001.spool.damaged')
  })

  it('sends again what a lost place file had as forwarded', async () => {
    const spool = await openTestSpool(scratch.path)
    await spool.append(framed(['a', 'b']))
    const parcel = await spool.next({ events: 1, bytes: mebibyte })
    if (parcel !== null) await spool.forwarded(parcel)
    await spool.close()
    writeFileSync(join(scratch.path, 'forwarded'), 'torn')
    const reopened = await openTestSpool(scratch.path)
    expect(await drained(reopened)).toEqual([['a', 'b']])
    await reopened.close()
  })

  it('refuses what does not fit, loses nothing that it took, and has room again', async () => {
    const size = encodeFrame(framed(['e00'])).length
    const spool = await openTestSpool(scratch.path, { bytesMax: 3 * size })
    const taken: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const id = `e0${index}`
      await spool.append(framed([id])).then(
        () => taken.push(id),
        (error: unknown) => expect(error).toMatchObject({ status: 503, retryAfterSeconds: 1 }),
      )
    }
    expect(taken).toEqual(['e00', 'e01', 'e02'])
    expect(spool.trouble).toBe('The spool is full.')
    const parcel = await spool.next({ events: 2, bytes: mebibyte })
    if (parcel !== null) await spool.forwarded(parcel)
    await spool.append(framed(['e10']))
    expect(await drained(spool)).toEqual([['e02', 'e10']])
    await expect(spool.append(framed(ids(0, 9)))).rejects.toMatchObject({ status: 413 })
    await spool.append(framed(['e20']))
    await spool.close()
  })

  it('refuses what the disk does not take, and goes on when it takes it', async () => {
    const path = join(scratch.path, 'spool')
    const spool = await openTestSpool(path, { bytesMax: 64 })
    renameSync(path, `${path}-away`)
    await expect(spool.append(framed([]))).rejects.toMatchObject({ status: 503 })
    renameSync(`${path}-away`, path)
    await spool.append(framed([]))
    await spool.close()
  })

  it('keeps no more files open the longer the disk is full', async (context) => {
    if (!mountsSmallDisk(scratch.path)) context.skip('run where mounting a tmpfs is allowed')
    const errors: unknown[] = []
    const logger = { ...quiet, error: (said: unknown) => void errors.push(said) }
    const spool = await openTestSpool(scratch.path, { logger })
    try {
      let taken = 0
      for (let round = 0; round < 40; round += 1) {
        const frame = framed(ids(round * 100, 100))
        const outcome = await spool.append(frame).catch((error: unknown) => error)
        if (outcome === undefined) taken += 100
        else expect(outcome).toMatchObject({ status: 503 })
      }
      expect(taken).toBeLessThan(2_000)
      expect(segmentsIn(scratch.path)).toHaveLength(1)
      expect(errors).toHaveLength(1)
      expect((await drained(spool)).flat()).toEqual(ids(0, taken))
      await spool.append(framed(['after']))
      expect(await drained(spool)).toEqual([['after']])
    } finally {
      await spool.close()
      execFileSync('umount', [scratch.path])
    }
  })

  it('gives the disk back while it goes on', async () => {
    const spool = await openTestSpool(scratch.path, { bytesMax: 64_000 })
    for (let round = 0; round < 50; round += 1) {
      await spool.append(framed(ids(round * 20, 20)))
      const parcel = await spool.next(bounds)
      if (parcel !== null) await spool.forwarded(parcel)
      expect(spool.bytes).toBeLessThan(8_000)
    }
    expect(segmentsIn(scratch.path).length).toBeLessThan(3)
    await spool.close()
  })
})
