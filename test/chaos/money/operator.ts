import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api, Json } from '../api.ts'
import { commandOf } from '../life.ts'
import type { Random } from '../random.ts'

export interface OperatorDesk {
  readonly api: Api
  readonly businessId: string
  readonly environment: Readonly<Record<string, string>>
}

/** How often commands ended well, otherwise, and by kill -9. */
export interface Commanded {
  done: number
  refused: number
  killed: number
}

/**
 * The operator disputes payments, moves disputes, pays out and says what became of payouts, by
 * commands of which every third is killed with -9 somewhere.
 */
export function startOperator(desk: OperatorDesk, commanded: Commanded, random: Random) {
  let stopping = false
  const working = works()
  return {
    async stop() {
      stopping = true
      await working
    },
  }

  async function works(): Promise<void> {
    while (!stopping) {
      const words = await nextWords(desk, random).catch(() => null)
      if (words !== null) commanded[await run(words)] += 1
      await sleep(random.between(0, 200))
    }
  }

  function run(words: readonly string[]): Promise<keyof Commanded> {
    const child = spawn(process.execPath, commandOf(words), {
      env: { PATH: process.env['PATH'] ?? '', ...desk.environment },
      stdio: 'ignore',
      timeout: 60_000,
    })
    const killing = random.chance(0.33)
      ? setTimeout(() => child.kill('SIGKILL'), random.between(300, 2_500))
      : null
    return new Promise((done) => {
      child.once('close', (status, signal) => {
        if (killing !== null) clearTimeout(killing)
        done(signal !== null ? 'killed' : status === 0 ? 'done' : 'refused')
      })
    })
  }
}

async function nextWords(
  { api, businessId }: OperatorDesk,
  random: Random,
): Promise<readonly string[] | null> {
  const draw = random.below(6)
  if (draw === 0) {
    const of = ['--business', businessId, '--mode', 'test', '--currency', 'EUR']
    return ['payouts', 'create', ...of]
  }
  if (draw === 5) {
    const payout = oneOf(await api.got('/payouts?page_size=20'), random)
    if (payout === null) return null
    const marks = ['in_progress', 'success', 'success', 'failed']
    return ['payouts', 'mark', String(payout['payout_id']), random.pick(marks)]
  }
  if (draw <= 2) {
    const payment = oneOf(await api.got('/payments?status=succeeded&page_size=20'), random)
    if (payment === null) return null
    const part = random.chance(0.5) ? ['--amount', String(1 + random.below(900))] : []
    return ['disputes', 'open', String(payment['payment_id']), ...part]
  }
  const status = draw === 3 ? 'dispute_opened' : 'dispute_challenged'
  const dispute = oneOf(await api.got(`/disputes?dispute_status=${status}&page_size=20`), random)
  if (dispute === null) return null
  const to = draw === 3 ? ['challenged', 'cancelled', 'accepted'] : ['won', 'lost', 'cancelled']
  return ['disputes', 'move', String(dispute['dispute_id']), random.pick(to)]
}

function oneOf({ items }: Json, random: Random): Json | null {
  const all = items as readonly Json[]
  return all.length === 0 ? null : random.pick(all)
}
