import type { ChildProcess } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../faults.ts'
import { syncOne, syncTree } from '../../../runtime/copying.ts'
import { exists } from '../../../runtime/data-dir.ts'
import type { Logger } from '../../../runtime/logger.ts'
import type { ClusterOptions } from './cluster.ts'
import { majorOf, makeCluster, ourMajor, removeLeft } from './cluster.ts'
import { olderPrograms } from './older-programs.ts'
import { endStrayServer } from './postmaster.ts'
import { ensureOwner } from './privileges.ts'
import { assertRoom } from './room.ts'
import type { Launch } from './server.ts'
import { becomeReady, endChild, portOfStore, socketUrlOf, spawnServer } from './server.ts'

/** Copies all that a store keeps from one database into another, which is empty. */
export type CopyOver = (from: string, to: string) => Promise<void>

export interface BringOverNeeds {
  readonly cluster: ClusterOptions
  readonly launch: Omit<Launch, 'data' | 'port'>
  readonly logger: Logger
  readonly copyOver?: CopyOver
  readonly signal?: AbortSignal
}

/** The port of the cluster that is filled: nobody looks for a server there. */
const portOfFilled = portOfStore + 1
const stopWithinMs = 120_000

const foldersIn = (directory: string) => ({
  data: join(directory, 'data'),
  /** A cluster of ours that is being filled. */
  filling: join(directory, 'data.filling'),
  /** The same, once it has everything. */
  whole: join(directory, 'data.whole'),
  kept: (major: number) => join(directory, `data.${major}`),
})

/** Whether an older store is just being brought over. */
export const isBeingFilled = (directory: string): Promise<boolean> =>
  exists(foldersIn(directory).filling)

/**
 * Brings a store that an older major version of PostgreSQL has written over to ours, whose programs
 * cannot read its files: both versions run for a while, and every row is copied.
 *
 * The order is the guarantee. Each step says what a crash just before it, or in it, costs.
 *
 * 1. What cannot be done is refused. Nothing.
 * 2. A cluster of ours is made and filled beside the old one, which serves reading only. The next
 *    start throws it away and begins again.
 * 3. It is on the disk, and gets the name of a whole one. The same.
 * 4. The old one moves aside; its files stay, for the operator to delete. The same.
 * 5. The new one takes its place. The next start does this, and nothing else.
 */
export async function bringOverOlder(needs: BringOverNeeds): Promise<void> {
  const { directory } = needs.cluster
  const { data, whole } = foldersIn(directory)
  if (!(await exists(data)) && (await exists(whole))) await moved(whole, data, directory)
  const major = await majorOf(data)
  if (major === null) return
  await clear(directory)
  if (major === ourMajor) return
  if (!(major < ourMajor)) {
    throw new Refusal(
      `${data} was written by PostgreSQL ${major}, and this release has ${ourMajor}, which cannot read it: start the release of Sluice that wrote it, or a newer one.`,
    )
  }
  await bringOver(needs, major)
}

async function bringOver(needs: BringOverNeeds, major: number): Promise<void> {
  const { cluster, logger } = needs
  const { directory } = cluster
  const { data, filling, whole, kept } = foldersIn(directory)
  const older = await olderLaunch(needs, major)
  logger.warn(
    { directory },
    `PostgreSQL ${major} wrote the store, and this is PostgreSQL ${ourMajor}: it is brought over now, which takes a while.`,
  )
  try {
    // Its tables come with the rows, so it begins without any.
    await makeCluster({ ...cluster, kept: undefined }, filling)
    await fill(needs, older)
  } catch (error) {
    await clear(directory)
    needs.signal?.throwIfAborted()
    const why = `that failed (${reasonOf(error)}), and nothing of it was changed: start again once that is mended, or start the release that wrote it.`
    throw refusal(data, major, why, error)
  }
  await syncTree(filling)
  await moved(filling, whole, directory)
  await moved(data, kept(major), directory)
  await moved(whole, data, directory)
  logger.warn(
    { directory },
    `The store was brought over from PostgreSQL ${major} to ${ourMajor}, and the old files lie in ${kept(major)}: delete that folder once you trust the new ones.`,
  )
}

/** How the old server is run. @throws Refusal where the store cannot be brought over. */
async function olderLaunch(needs: BringOverNeeds, major: number): Promise<Launch> {
  const { cluster, launch } = needs
  const { directory, privileges } = cluster
  const { data, kept } = foldersIn(directory)
  try {
    if (needs.copyOver === undefined) throw new Refusal('nothing here can.')
    if (await exists(kept(major))) {
      throw new Refusal(
        `${kept(major)} is there already, with what was brought over before: move it to another place.`,
      )
    }
    const binaries = await olderPrograms(major, directory)
    // That of a start that was killed goes on for a moment, and removes files that are looked at.
    await endStrayServer(data)
    await assertRoom(data, directory)
    await ensureOwner(data, privileges.uid)
    // A command of another release that finds it must not write what is not copied any more.
    const readsOnly = ['-c', 'default_transaction_read_only=on']
    const words = [...launch.arguments, ...readsOnly]
    return { ...launch, binaries, data, port: portOfStore, arguments: words }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw refusal(data, major, error.message, error)
  }
}

const refusal = (data: string, major: number, why: string, cause: unknown): Refusal =>
  new Refusal(
    `${data} was written by PostgreSQL ${major} and must be brought over to PostgreSQL ${ourMajor}: ${why}`,
    { cause },
  )

/** A fault says what a caller may hear; what PostgreSQL has said is its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as Error
  return cause instanceof Error ? cause.message : message
}

async function fill(needs: BringOverNeeds, older: Launch): Promise<void> {
  const { cluster, launch, copyOver, signal } = needs
  const { filling } = foldersIn(cluster.directory)
  const running = new AbortController()
  const started: ChildProcess[] = []
  const ours = { ...launch, data: filling, port: portOfFilled }
  try {
    for (const each of [older, ours]) {
      const child = await spawnServer(each)
      started.push(child)
      await becomeReady(child, each, signal)
    }
    await Promise.race([
      copyOver?.(socketUrlOf(launch.socket), socketUrlOf(launch.socket, portOfFilled)),
      aborted(signal, running.signal),
    ])
  } finally {
    running.abort()
    await Promise.all(started.map((child) => endChild(child, stopWithinMs)))
  }
}

/** Throws when `signal` is aborted, so that its servers are stopped; `over` ends the wait. */
function aborted(signal: AbortSignal | undefined, over: AbortSignal): Promise<void> {
  return new Promise((_, failed) => {
    signal?.addEventListener('abort', () => failed(signal.reason as Error), { signal: over })
  })
}

/** What an attempt that was cut short has left is of no use. */
async function clear(directory: string): Promise<void> {
  const { filling, whole } = foldersIn(directory)
  for (const folder of [filling, whole]) {
    if (!(await exists(folder))) continue
    await endStrayServer(folder)
    await removeLeft(folder)
  }
}

async function moved(from: string, to: string, directory: string): Promise<void> {
  await rename(from, to)
  await syncOne(directory)
}
