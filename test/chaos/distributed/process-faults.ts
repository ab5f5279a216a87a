import { setTimeout as sleep } from 'node:timers/promises'
import type { Moment } from '../../../src/runtime/moments.ts'
import { driftClock, startBent, stepClock } from '../clock-faults.ts'
import type { Fault, Scene } from './faults.ts'
import type { Place, Post } from './fleet.ts'

/** How long to wait for a moment to come. */
const momentMs = 8_000

/** Longer than the group waits for a silent member. */
const frozenMs = { low: 12_000, high: 15_000 }

const places: readonly Place[] = ['http', 'billing', 'others']

/** In which processes each moment comes; `stored` comes only with the embedded log. */
const moments: Readonly<Record<Place, readonly Moment[]>> = {
  http: ['appended', 'adjusted'],
  billing: ['judged', 'measured', 'marked', 'healing', 'settling', 'settled'],
  others: ['relaying', 'announced', 'attempted', 'archiving', 'archived', 'merging'],
}

/** Moments that come every few seconds at most. */
const rare: readonly Moment[] = ['adjusted', 'merging', 'healing']

let orders = 0

/** What can happen to the processes of Sluice. */
export const processFaults: readonly Fault[] = [
  ...places.flatMap((place): readonly Fault[] => [
    killed(place),
    terminated(place),
    frozen(place),
    ...moments[place].map((moment) => killedAt(place, moment)),
    ...bent(place),
  ]),
  ...(['billing', 'others'] as const).map(rebalanced),
  {
    name: 'kill -9 of a billing while it starts',
    weight: 1,
    kills: true,
    strikes: 'billing',
    async strike({ fleet, random }) {
      const { life } = random.pick(fleet.running('billing'))
      await life.kill()
      life.launch()
      await sleep(random.between(50, 2_500))
      await life.kill()
      await life.start()
    },
  },
  {
    name: 'a billing stands still for longer than the group waits',
    weight: 2,
    kills: false,
    strikes: 'billing',
    async strike({ fleet, random }) {
      const { life } = random.pick(fleet.running('billing'))
      await life.freeze(random.between(frozenMs.low, frozenMs.high))
    },
  },
  {
    name: 'kill -9 of all processes (billing)',
    weight: 1,
    kills: true,
    strikes: 'billing',
    async strike({ fleet }) {
      const all = fleet.running('billing')
      await Promise.all(all.map(({ life }) => life.kill()))
      await Promise.all(all.map(({ life }) => life.start()))
    },
  },
]

/**
 * Makes the clock of one process of several wrong; the others, and the servers, have the right
 * time.
 */
function bent(place: Place): readonly Fault[] {
  const of = ({ fleet, random }: Scene) => random.pick(fleet.running(place)).life
  const common = { weight: 1, strikes: place }
  return [
    {
      ...common,
      name: `the clock of a process steps (${place})`,
      kills: false,
      strike: (scene) => stepClock(of(scene), scene.random),
    },
    {
      ...common,
      name: `the clock of a process drifts (${place})`,
      kills: false,
      strike: (scene) => driftClock(of(scene), scene.random),
    },
    {
      ...common,
      name: `a process starts with a wrong clock (${place})`,
      kills: true,
      strike: (scene) => startBent(of(scene), scene.random),
    },
  ]
}

function killed(place: Place): Fault {
  return {
    name: `kill -9 of a process (${place})`,
    weight: 2,
    kills: true,
    strikes: place,
    async strike({ fleet, random }) {
      const { life } = random.pick(fleet.running(place))
      await life.kill()
      await life.start()
    },
  }
}

function terminated(place: Place): Fault {
  return {
    name: `SIGTERM (${place})`,
    weight: 2,
    kills: false,
    strikes: place,
    async strike({ fleet, random, wrong }) {
      const post = random.pick(fleet.running(place))
      await end(post, wrong)
      await post.life.start()
    },
  }
}

function frozen(place: Place): Fault {
  return {
    name: `freeze (${place})`,
    weight: 1,
    kills: false,
    strikes: place,
    strike: ({ fleet, random }) =>
      random.pick(fleet.running(place)).life.freeze(random.between(100, 3_000)),
  }
}

/** Starts or stops a process. */
function rebalanced(place: 'billing' | 'others'): Fault {
  return {
    name: `a process more or fewer (${place})`,
    weight: 3,
    kills: false,
    strikes: place,
    async strike({ fleet, random, wrong }) {
      const [idle, running] = [fleet.idle(place), fleet.running(place)]
      if (idle.length > 0 && (running.length === 1 || random.chance(0.5))) {
        await random.pick(idle).life.start()
        return
      }
      const post = random.pick(running)
      if (random.chance(0.5)) await end(post, wrong)
      else await post.life.kill()
    },
  }
}

function killedAt(place: Place, moment: Moment): Fault {
  return { name: `kill -9 when ${moment}`, weight: 1, kills: true, strikes: place, strike }

  async function strike({ ground, fleet, random, missed }: Scene): Promise<void> {
    const { life } = random.pick(fleet.running(place))
    life.expectDeath()
    orders += 1
    const times = rare.includes(moment) ? 1 : 1 + random.below(3)
    life.order({ number: orders, moment, times, victim: 'server' })
    // Healing happens only where Redis has lost what the store knows.
    if (moment === 'healing') await ground.redis.flush()
    if (!(await life.diesWithin(momentMs))) {
      missed(moment)
      await life.kill()
    }
    life.order(null)
    await life.start()
  }
}

async function end({ name, life }: Post, wrong: Scene['wrong']): Promise<void> {
  const { status } = await life.terminate()
  if (status !== 0) wrong(`SIGTERM ended ${name} with ${status}`)
}
