import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Api } from '../api.ts'
import { openApi } from '../api.ts'
import { faultsNamed, randomFaults } from '../bag-of-faults.ts'
import type { ChaosOptions, ChaosResult } from '../chaos.ts'
import { nothingSent } from '../clients.ts'
import { difference } from '../differences.ts'
import { processesNaming } from '../processes.ts'
import type { Random } from '../random.ts'
import { randomFrom } from '../random.ts'
import type { ChaosServer } from '../server.ts'
import { openChaosServer } from '../server.ts'
import { runVerify } from '../verifying.ts'
import { each, moneyBooks } from './books.ts'
import type { Told } from './buyers.ts'
import { startBuyers } from './buyers.ts'
import { moneyFaults } from './faults.ts'
import type { Commanded } from './operator.ts'
import { startOperator } from './operator.ts'

/** On a slow machine the load outlasts the faults until so many have paid: fewer prove little. */
const paidMin = 10

/**
 * Kills a server with -9 while buyers pay and are refunded on it, and the operator disputes and
 * pays out by commands that are killed, too; then lets what was claimed be asked for again, and
 * counts every cent and credit.
 */
export async function moneyChaos(options: ChaosOptions): Promise<ChaosResult> {
  const began = performance.now()
  const random = randomFrom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'sluice-chaos-'))
  const server = await openChaosServer(dataDir, random.stream('ports'))
  const told: Told = {
    paid: new Set(),
    sessions: new Set(),
    refunds: new Map(),
    papers: new Map(),
    unanswered: 0,
  }
  const commanded: Commanded = { done: 0, refused: 0, killed: 0 }
  try {
    const ready = await server.start()
    const url = () => server.url
    const api = openApi({ url, key: ready['api_key'] ?? '' })
    const market = await marketOf(api, options.senders)
    const environment = { DATA_DIR: join(dataDir, 'data') }
    const buyers = startBuyers({ ...market, api, url }, told, random.stream('buyers'))
    const desk = { api, businessId: market.businessId, environment }
    const operator = startOperator(desk, commanded, random.stream('operator'))
    const faults = await breakServer({ server, random: random.stream('faults') }, options)
    const deadline = began + options.minutes * 60_000
    while (told.paid.size <= paidMin && performance.now() < deadline) await sleep(100)
    options.progress('load ends')
    await Promise.all([buyers.stop(), operator.stop()])
    // What was claimed and never heard is asked for again after five minutes.
    await api.made('/clock/advance', { by: 'PT30M' })
    const seen = await moneyBooks(api, told, market)
    const { verify, said } = await runVerify(environment)
    const { status } = await server.terminate()
    const left = processesNaming(dataDir).length
    const differences = [
      ...seen.differences,
      ...server.crashes.map((what) => difference('the server', 'lives on', what)),
      ...(verify === 'failed' ? [difference('sluice verify', 'passes', said)] : []),
      ...(status === 0 ? [] : [difference('exit status at the end', 0, status)]),
      ...(left === 0 ? [] : [difference('processes left behind', 0, left)]),
    ]
    if (differences.length === 0) rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
    return {
      seed: options.seed,
      seconds: Math.round((performance.now() - began) / 1_000),
      sent: nothingSent(),
      accepted: 0,
      unanswered: told.unanswered,
      webhooks: 0,
      faults,
      kills: [...faults.values()].reduce((all, times) => all + times, 0),
      missed: [],
      differences,
      verify,
      dataDir: differences.length === 0 ? null : dataDir,
      money: { ...seen, sessions: told.sessions.size, ...commanded },
    }
  } finally {
    if (server.running) await server.kill()
  }
}

/** Something to buy, and people who do. */
async function marketOf(api: Api, buyers: number) {
  const credit = await api.made('/credit-entitlements', {
    name: 'Calls',
    unit: 'call',
    precision: 0,
    rollover_enabled: false,
    overage_enabled: false,
  })
  const creditId = String(credit['id'])
  const mapping = { credit_entitlement_id: creditId, credits_amount: String(each.credits) }
  const price = { type: 'one_time_price', currency: 'EUR', price: each.price, discount: 0 }
  const product = await api.made('/products', {
    name: 'Pack',
    tax_category: 'saas',
    credit_entitlements: [mapping],
    price: { ...price, purchasing_power_parity: false },
  })
  const customers = await Promise.all(
    Array.from({ length: buyers }, (_, number) =>
      api.made('/customers', { name: `B${number}`, email: `b${number}@example.com` }),
    ),
  )
  return {
    creditId,
    productId: String(product['product_id']),
    businessId: String(customers[0]?.['business_id']),
    customerIds: customers.map((each) => String(each['customer_id'])),
  }
}

async function breakServer(
  { random, server }: { readonly server: ChaosServer; readonly random: Random },
  { faults, minutes, progress }: ChaosOptions,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const chosen =
    typeof faults === 'number'
      ? randomFaults(moneyFaults, { random, count: faults })
      : faultsNamed(moneyFaults, faults)
  const deadline = performance.now() + minutes * 60_000
  let number = 0
  for (const fault of chosen) {
    await sleep(random.between(300, 3_000))
    if (performance.now() > deadline) break
    number += 1
    progress(`${number} ${fault.name}`)
    counts.set(fault.name, (counts.get(fault.name) ?? 0) + 1)
    await fault.strike(server, random)
  }
  return counts
}
