import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from '../../support/servers/ports.ts'
import type { Life } from '../life.ts'
import { openLife } from '../life.ts'

export type Place = 'http' | 'billing' | 'others'

/** The roles of a process of each place. */
const roles: Readonly<Record<Place, string>> = {
  http: 'http',
  billing: 'billing',
  others: 'sweeps,delivery,archive',
}

/** A place for a process, which keeps its name, ports and files when the process comes back. */
export interface Post {
  readonly name: string
  readonly place: Place
  readonly life: Life
  /** The URL of test mode; without the role `http` nobody answers there. */
  readonly url: string
  readonly opsUrl: string
}

/** Some of these run from the beginning; the rest come and go, so that groups are rebalanced. */
const names: readonly (readonly [place: Place, posts: number, atFirst: number])[] = [
  ['http', 2, 2],
  ['billing', 3, 2],
  ['others', 2, 1],
]

/** The processes of one installation. */
export interface ChaosFleet {
  /** All places, whether their process runs or not. */
  readonly posts: readonly Post[]
  /** Places with a running process. */
  running(place: Place): readonly Post[]
  /** Places where a process could be started. */
  idle(place: Place): readonly Post[]
  readonly opsUrls: readonly string[]
  /** Where the next request goes: to one process after the other, whether it runs or not. */
  nextUrl(): string
  /** Starts the processes that are there from the beginning. */
  start(): Promise<void>
  /** kill -9 of all. */
  kill(): Promise<void>
}

export interface FleetOptions {
  readonly directory: string
  readonly environment: Readonly<Record<string, string>>
  /** Whether anything that a start needs is away. */
  readonly isStruck: () => boolean
}

export async function openChaosFleet(options: FleetOptions): Promise<ChaosFleet> {
  const posts: Post[] = []
  const first: Post[] = []
  for (const [place, count, atFirst] of names) {
    for (let number = 1; number <= count; number += 1) {
      const post = await openPost(`${place}-${number}`, place, options)
      posts.push(post)
      if (number <= atFirst) first.push(post)
    }
  }
  const fronts = posts.filter(({ place }) => place === 'http')
  let turn = 0
  return {
    posts,
    running: (place) => posts.filter((post) => post.place === place && post.life.running),
    idle: (place) => posts.filter((post) => post.place === place && !post.life.running),
    get opsUrls() {
      return posts.filter(({ life }) => life.running).map(({ opsUrl }) => opsUrl)
    },
    nextUrl: () => {
      turn += 1
      return fronts[turn % fronts.length]?.url ?? ''
    },
    start: async () => {
      // The first process makes tables and topics.
      for (const { life } of first) await life.start()
    },
    kill: async () => {
      await Promise.all(posts.filter(({ life }) => life.pid > 0).map(({ life }) => life.kill()))
    },
  }
}

async function openPost(name: string, place: Place, options: FleetOptions): Promise<Post> {
  const [port = 0, livePort = 0, opsPort = 0] = await freePorts(3)
  const directory = join(options.directory, name)
  mkdirSync(directory, { mode: 0o700 })
  const life = openLife({
    environment: {
      ...options.environment,
      DATA_DIR: join(directory, 'data'),
      PORT: `${port}`,
      LIVE_PORT: `${livePort}`,
      OPS_PORT: `${opsPort}`,
      LOG_LEVEL: 'info',
    },
    roles: roles[place],
    orders: join(directory, 'orders.json'),
    log: join(directory, 'log'),
    startsWithinMs: 300_000,
    mayTryAgain: options.isStruck,
  })
  const [url, opsUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${opsPort}`]
  return { name, place, life, url, opsUrl }
}
