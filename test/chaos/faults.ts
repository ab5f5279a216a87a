import { setTimeout as sleep } from 'node:timers/promises'
import type { Moment } from '../../src/runtime/moments.ts'
import { momentNames } from '../../src/runtime/moments.ts'
import type { Greed } from '../support/edge/greedy.ts'
import { greeds } from '../support/edge/greedy.ts'
import { driftClock, startBent, stepClock } from './clock-faults.ts'
import type { Tenants } from './greedy-faults.ts'
import { beGreedy } from './greedy-faults.ts'
import { childrenOf, killPostgres, signal, titleOf } from './processes.ts'
import type { Random } from './random.ts'
import type { ChaosServer } from './server.ts'

/** One way to break something, and how to be back afterwards. */
export interface Fault {
  readonly name: string
  /** How often it is in a bag of faults. */
  readonly weight: number
  /** Whether it kills the server or its PostgreSQL. */
  readonly kills: boolean
  strike(scene: Scene): Promise<void>
}

export interface Scene {
  readonly server: ChaosServer
  readonly random: Random
  readonly tenants: Tenants
  /** Reports something that must never happen, in words. */
  readonly wrong: (what: string) => void
  /** Reports a moment that did not come in time; the server was then killed at a random one. */
  readonly missed: (name: string) => void
}

/** How long to wait for a moment to come. */
const momentMs = 12_000

/** The promise is 10 s; the rest is for machines that are busy with other things. */
const stopMsMax = 15_000

/** Moments that come every few seconds at most. */
const rare: readonly Moment[] = ['adjusted', 'merging']

let orders = 0

export const faults: readonly Fault[] = [
  {
    name: 'kill -9',
    weight: 3,
    kills: true,
    async strike({ server }) {
      await server.kill()
      await server.start()
    },
  },
  {
    name: 'kill -9 while it starts',
    weight: 2,
    kills: true,
    async strike({ server, random }) {
      await server.kill()
      server.launch()
      await sleep(random.between(50, 1_800))
      await server.kill()
      await server.start()
    },
  },
  {
    name: 'kill -9, dedupe lost',
    weight: 1,
    kills: true,
    async strike({ server }) {
      await server.kill()
      server.loseDedupe()
      await server.start()
    },
  },
  {
    name: 'SIGTERM',
    weight: 2,
    kills: false,
    async strike({ server, wrong }) {
      await terminated(server, wrong)
      await server.start()
    },
  },
  {
    name: 'SIGTERM while it starts',
    weight: 1,
    kills: true,
    async strike({ server, random, wrong }) {
      await server.kill()
      server.launch()
      await sleep(random.between(400, 2_000))
      // Null: the program was not even loaded, so the signal ended it like any other program.
      if ((await server.terminate()).status) wrong('SIGTERM at its start failed the server')
      await server.start()
    },
  },
  {
    name: 'SIGTERM with PostgreSQL away',
    weight: 1,
    kills: true,
    async strike({ server, wrong }) {
      killPostgres(dataOf(server))
      await terminated(server, wrong)
      await server.start()
    },
  },
  {
    name: 'kill -9 of PostgreSQL',
    weight: 3,
    kills: true,
    async strike({ server }) {
      killPostgres(dataOf(server))
    },
  },
  {
    name: 'kill -9 of the postmaster alone',
    weight: 1,
    kills: true,
    async strike({ server }) {
      signal(server.postgresPid(), 'SIGKILL')
    },
  },
  {
    name: 'kill -9 of a connection',
    weight: 2,
    kills: true,
    async strike({ server, random }) {
      const connections = connectionsOf(server)
      if (connections.length > 0) signal(random.pick(connections), 'SIGKILL')
    },
  },
  {
    name: 'cut of all connections',
    weight: 1,
    kills: false,
    async strike({ server }) {
      for (const pid of connectionsOf(server)) signal(pid, 'SIGTERM')
    },
  },
  {
    name: 'freeze',
    weight: 1,
    kills: false,
    strike: ({ server, random }) => server.freeze(random.between(100, 2_500)),
  },
  {
    name: 'freeze of PostgreSQL',
    weight: 1,
    kills: false,
    async strike({ server, random }) {
      const pids = [server.postgresPid(), ...childrenOf(server.postgresPid())]
      for (const pid of pids) if (pid > 0) signal(pid, 'SIGSTOP')
      await sleep(random.between(100, 2_500))
      for (const pid of pids) if (pid > 0) signal(pid, 'SIGCONT')
    },
  },
  {
    name: 'the clock steps',
    weight: 4,
    kills: false,
    strike: ({ server, random }) => stepClock(server, random),
  },
  {
    name: 'the clock drifts',
    weight: 1,
    kills: false,
    strike: ({ server, random }) => driftClock(server, random),
  },
  {
    name: 'kill -9, and a start with a wrong clock',
    weight: 2,
    kills: true,
    strike: ({ server, random }) => startBent(server, random),
  },
  ...greeds.map(greedy),
  // The embedded parts have no topic on which facts could have been announced.
  ...momentNames.filter((moment) => moment !== 'announced').map((moment) => killAt(moment)),
  ...(['judged', 'settling', 'relaying', 'archiving'] as const).map(postgresAt),
]

function greedy(kind: Greed): Fault {
  const name = `a greedy tenant: ${kind}`
  const strike = (scene: Scene) => beGreedy(kind, { ...scene, isAlone: true })
  return { name, weight: 1, kills: false, strike }
}

function killAt(moment: Moment): Fault {
  return { name: `kill -9 when ${moment}`, weight: 1, kills: true, strike }

  async function strike(scene: Scene): Promise<void> {
    const { server, random } = scene
    order(scene, moment, 'server')
    // Healing happens at a start that finds dedupe behind the books.
    if (moment === 'healing') {
      await server.kill()
      server.loseDedupe()
      server.launch()
      server.expectDeath()
    }
    if (!(await server.diesWithin(momentMs))) {
      scene.missed(moment)
      await server.kill()
    }
    server.order(null)
    if (random.chance(0.1)) server.loseDedupe()
    await server.start()
  }
}

function postgresAt(moment: Moment): Fault {
  return { name: `kill -9 of PostgreSQL when ${moment}`, weight: 1, kills: true, strike }

  async function strike(scene: Scene): Promise<void> {
    const { server } = scene
    const before = server.postgresPid()
    order(scene, moment, 'postgres')
    const deadline = performance.now() + momentMs
    while (server.postgresPid() === before && performance.now() < deadline) await sleep(20)
    server.order(null)
    if (server.postgresPid() !== before) return
    scene.missed(`PostgreSQL ${moment}`)
    killPostgres(dataOf(server))
  }
}

function order({ server, random }: Scene, moment: Moment, victim: 'server' | 'postgres'): void {
  if (victim === 'server') server.expectDeath()
  orders += 1
  const times = rare.includes(moment) ? 1 : 1 + random.below(3)
  server.order({ number: orders, moment, times, victim })
}

async function terminated(server: ChaosServer, wrong: Scene['wrong']): Promise<void> {
  const { status, ms } = await server.terminate()
  if (status !== 0) wrong(`SIGTERM ended the server with ${status}`)
  if (ms > stopMsMax) wrong(`SIGTERM took ${Math.round(ms)} ms`)
}

const dataOf = (server: ChaosServer): string => `${server.dataDir}/data/postgres/data`

/** Processes of PostgreSQL that serve a client. */
const connectionsOf = (server: ChaosServer): readonly number[] =>
  childrenOf(server.postgresPid()).filter((pid) => /^postgres: postgres /.test(titleOf(pid)))
