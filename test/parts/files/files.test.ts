import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openFolderFiles } from '../../../src/parts/files/folder/files.ts'
import { openS3Files } from '../../../src/parts/files/s3/files.ts'
import type { S3Settings } from '../../../src/parts/files-settings.ts'
import { filesContract } from '../../contracts/files.ts'
import type { S3Server } from '../../support/files/s3-server.ts'
import { s3Key, s3Region, startS3Server } from '../../support/files/s3-server.ts'
import { quiet } from '../../support/runtime/logger.ts'

const folders: string[] = []
const servers: S3Server[] = []
afterAll(async () => {
  for (const server of servers) await server.stop()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'files-'))
  folders.push(folder)
  return folder
}

async function newServer(): Promise<S3Server> {
  const server = await startS3Server(['shop'])
  servers.push(server)
  return server
}

const settingsFor = (server: S3Server): S3Settings => ({
  bucket: 'shop',
  prefix: 'sluice/files/',
  endpoint: server.endpoint,
  region: s3Region,
  sessionToken: null,
  ...s3Key,
})

const openOn = async (settings: S3Settings) =>
  openS3Files({ settings, incoming: join(await newFolder(), 'incoming'), logger: quiet })

/** A storage that is away is back some time. */
const away = { code: 'UNAVAILABLE', status: 503 }

async function* one(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text)
}

filesContract('in a folder', async () => {
  const folder = join(await newFolder(), 'files')
  return {
    files: await openFolderFiles(folder),
    reopened: () => openFolderFiles(folder),
    close: () => Promise.resolve(),
  }
})

filesContract('in a storage that speaks S3', async () => {
  const settings = settingsFor(await newServer())
  return {
    files: await openOn(settings),
    reopened: () => openOn(settings),
    close: () => Promise.resolve(),
  }
})

describe('files in a folder', () => {
  it('are the owner’s alone, and leave nothing beside them', async () => {
    const folder = join(await newFolder(), 'files')
    const files = await openFolderFiles(folder)
    const { digest } = await files.keep(one('mine'))
    const path = join(folder, digest.slice(0, 2), digest)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readdir(join(folder, 'incoming'))).toEqual([])
  })

  it('forget what was being written a day ago, and nothing younger', async () => {
    const folder = join(await newFolder(), 'files')
    await (await openFolderFiles(folder)).keep(one('x'))
    const [old, young] = [join(folder, 'incoming', 'old'), join(folder, 'incoming', 'young')]
    await writeFile(old, 'x')
    await writeFile(young, 'x')
    const then = Date.now() / 1_000 - 90_000
    await utimes(old, then, then)
    await openFolderFiles(folder)
    expect(await readdir(join(folder, 'incoming'))).toEqual(['young'])
  })
})

describe('files in a storage that speaks S3', () => {
  it('lie behind the prefix, under their digests', async () => {
    const server = await newServer()
    const { digest } = await (await openOn(settingsFor(server))).keep(one('there'))
    expect([...server.objects.keys()]).toEqual([`shop/sluice/files/${digest}`])
  })

  it('are tried again where the storage fails for a moment, and not for ever', async () => {
    const server = await newServer()
    const files = await openOn(settingsFor(server))
    server.failNext(503, 2)
    const { digest } = await files.keep(one('again'))
    expect(server.objects.has(`shop/sluice/files/${digest}`)).toBe(true)
    server.failNext(500, 3)
    await expect(files.size(digest)).rejects.toMatchObject(away)
  })

  it.each([
    ['a bucket that is not there', { bucket: 'nowhere' }, 'NoSuchBucket'],
    ['a key that is none', { accessKeyId: 'AKOTHER' }, 'InvalidAccessKeyId'],
    ['a wrong secret', { secretAccessKey: 'wrong' }, 'SignatureDoesNotMatch'],
    ['another region', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
  ])('refuse to start with %s', async (_what, wrong, code) => {
    const server = await newServer()
    await expect(openOn({ ...settingsFor(server), ...wrong })).rejects.toThrow(code)
    expect(server.counts.taken).toBe(0)
  })

  it('start while the storage is away', async () => {
    const server = await newServer()
    await server.stop()
    const files = await openOn(settingsFor(server))
    await expect(files.keep(one('later'))).rejects.toMatchObject(away)
  })
})
