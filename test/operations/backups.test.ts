import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BackUpNeeds } from '../../src/operations/backups/back-up.ts'
import { backUp } from '../../src/operations/backups/back-up.ts'
import { refuseHalfRestored, restore } from '../../src/operations/backups/restore.ts'
import { makeFolder, writeNew } from '../../src/runtime/copying.ts'
import { instantOf } from '../../src/std/instant.ts'
import { scratchDirectory } from '../support/process/server.ts'

let scratch: ReturnType<typeof scratchDirectory>
let dataDir: string
let target: string
beforeEach(() => {
  scratch = scratchDirectory()
  dataDir = join(scratch.path, 'data')
  target = join(scratch.path, 'copy')
  for (const folder of ['postgres/data', 'log'])
    mkdirSync(join(dataDir, folder), { recursive: true })
  writeFileSync(join(dataDir, 'postgres/data/PG_VERSION'), '18\n')
  writeFileSync(join(dataDir, 'log/data.mdb'), 'records')
  writeFileSync(join(dataDir, 'secrets.key'), 'key')
})
afterEach(() => scratch.remove())

/** Needs that tell in `copied` what is copied, in order. */
function needsOf(copied: string[], more: Partial<BackUpNeeds> = {}): BackUpNeeds {
  return {
    dataDir,
    async openDatabase() {
      copied.push('database opened')
      return async (folder) => {
        copied.push('database')
        await makeFolder(folder)
        const sum = await writeNew(join(folder, 'PG_VERSION'), '18\n')
        return { folders: [], files: [{ path: 'PG_VERSION', ...sum }] }
      }
    },
    async copyLog(folder) {
      copied.push('log')
      writeFileSync(join(folder, 'data.mdb'), 'records')
    },
    holdsFiles: true,
    clock: { now: () => instantOf(1_796_000_000_123_456) },
    ...more,
  }
}

describe('a backup', () => {
  it('copies the database before the log, so that nothing measured is missing there', async () => {
    const copied: string[] = []
    const { manifest, path } = await backUp(needsOf(copied), target)
    expect(copied).toEqual(['database opened', 'database', 'log'])
    expect(path).toBe(target)
    expect(manifest).toMatchObject({
      format: 1,
      takenAt: new Date(1_796_000_000_123).toISOString(),
      hasSecretsKey: true,
      folders: ['postgres/data'],
    })
    expect(manifest.files.map((file) => file.path)).toEqual([
      'postgres/data/PG_VERSION',
      'log/data.mdb',
      'secrets.key',
    ])
    expect(JSON.parse(readFileSync(join(target, 'backup.json'), 'utf8'))).toEqual(manifest)
  })

  it('that fails leaves nothing', async () => {
    const copyLog = () => Promise.reject(new Error('The disk is full.'))
    await expect(backUp(needsOf([], { copyLog }), target)).rejects.toThrow('The disk is full.')
    expect([target, `${target}.partial`].filter(existsSync)).toEqual([])
  })

  it('starts nothing where it cannot end', async () => {
    const opened: string[] = []
    mkdirSync(target)
    await expect(backUp(needsOf(opened), target)).rejects.toThrow(/is there already/)
    const empty = needsOf(opened, { dataDir: join(scratch.path, 'nothing') })
    await expect(backUp(empty, join(scratch.path, 'other'))).rejects.toThrow(/nothing to back up/)
    expect(opened).toEqual([])
  })
})

describe('a restore', () => {
  it('makes the data directory that was backed up', async () => {
    await backUp(needsOf([]), target)
    const anew = join(scratch.path, 'anew')
    await restore(anew, target, null)
    expect(readFileSync(join(anew, 'log/data.mdb'), 'utf8')).toBe('records')
    expect(readFileSync(join(anew, 'secrets.key'), 'utf8')).toBe('key')
    await refuseHalfRestored(anew)
  })

  it('of a damaged backup puts nothing in its place, and nothing starts on what it left', async () => {
    await backUp(needsOf([]), target)
    writeFileSync(join(target, 'log/data.mdb'), 'recorda')
    const anew = join(scratch.path, 'anew')
    await expect(restore(anew, target, null)).rejects.toThrow(/damaged: take another backup/)
    expect(existsSync(join(anew, 'postgres'))).toBe(false)
    await expect(refuseHalfRestored(anew)).rejects.toThrow(/was cut short/)
  })
})
