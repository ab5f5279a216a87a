import { setTimeout as sleep } from 'node:timers/promises'
import { killPostgres } from '../processes.ts'
import type { Random } from '../random.ts'
import type { ChaosServer } from '../server.ts'

/** What can happen to a server that money goes through, and it is back afterwards. */
export interface MoneyFault {
  readonly name: string
  /** How often it is in a bag of faults. */
  readonly weight: number
  strike(server: ChaosServer, random: Random): Promise<void>
}

/** How long to wait for a commit; without one it is killed where it is. */
const commitMs = 3_000

let orders = 0

export const moneyFaults: readonly MoneyFault[] = [
  {
    name: 'kill -9',
    weight: 3,
    async strike(server, random) {
      await server.kill()
      await sleep(random.between(0, 800))
      await server.start()
    },
  },
  {
    name: 'kill -9 right after a commit',
    weight: 4,
    async strike(server, random) {
      orders += 1
      const times = 1 + random.below(4)
      server.expectDeath()
      server.order({ number: orders, moment: 'adjusted', times, victim: 'server' })
      if (!(await server.diesWithin(commitMs))) await server.kill()
      server.order(null)
      await server.start()
    },
  },
  {
    name: 'kill -9 while it starts',
    weight: 1,
    async strike(server, random) {
      await server.kill()
      server.launch()
      await sleep(random.between(50, 1_500))
      await server.kill()
      await server.start()
    },
  },
  {
    name: 'kill -9 of it and of PostgreSQL',
    weight: 2,
    async strike(server) {
      server.expectDeath()
      killPostgres(`${server.dataDir}/data/postgres/data`)
      await server.kill()
      await server.start()
    },
  },
]
