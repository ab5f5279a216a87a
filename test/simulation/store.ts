import type { Accounts } from '../../src/parts/store/accounts.ts'
import type { Changes } from '../../src/parts/store/changes.ts'
import type { Deliveries } from '../../src/parts/store/deliveries.ts'
import type {
  Committed,
  Measured,
  Measuring,
  StoredBatch,
} from '../../src/parts/store/measuring.ts'
import type { Meters } from '../../src/parts/store/meters.ts'
import type { Outbox } from '../../src/parts/store/outbox.ts'
import type { Scope } from '../../src/parts/store/scope.ts'
import { emptyAccount } from '../../src/rules/accounts/account.ts'
import { instantOf, millisecond } from '../../src/std/instant.ts'
import type { Hold } from './holds.ts'
import { openHolds } from './holds.ts'
import { customers, precision, scopes, snapshotOf } from './shop.ts'
import { dueAccounts, dueOfEach, loadAccounts, saveAccounts } from './store-accounts.ts'
import type { StoreMistakes } from './store-measuring.ts'
import {
  batchPage,
  commitMeasured,
  haltPartition,
  keepHeartbeat,
  renameNamespace,
  resumePartition,
  takePartition,
  watermarkOf,
} from './store-measuring.ts'
import {
  claimDeliveries,
  recordAttempts,
  relayFacts,
  releaseDeliveries,
  waitingFacts,
} from './store-telling.ts'
import type { Tables } from './tables.ts'
import { copyOf, customerName, emptyTables, keyName, scopeName } from './tables.ts'
import type { Call, World } from './world.ts'
import { away } from './world.ts'

const customerNames: ReadonlySet<string> = new Set(customers.map(customerName))

export type SimulatedStore = ReturnType<typeof simulatedStore>

/**
 * The store: what each call of a port does is one moment, and all or nothing, as one statement of
 * PostgreSQL is. `watch` is told after every change, and looks whether it may be so.
 */
export function simulatedStore(
  world: World,
  watch: (tables: Tables, restored: boolean) => void,
  mistakes: StoreMistakes = {},
) {
  let tables = emptyTables()
  // What was given once is never given again, whatever is put back.
  let takes = 0
  const holds = openHolds(world)
  return {
    tables: (): Tables => tables,
    copy: () => copyOf(tables),
    restore: (copy: Tables) => {
      tables = copyOf(copy)
      watch(tables, true)
    },
    bumpCatalog: (of: readonly Scope[] = scopes) => {
      for (const scope of of)
        holds.change(scopeName(scope), () => raise(tables.catalogVersions, scopeName(scope)))
    },
    bumpRoutes: () => {
      const name = customerName(world.random.pick(customers))
      holds.change(name, () => raise(tables.routesVersions, name))
    },
    ports: (call: Call) => ({
      measuring: measuring(call),
      meters: meters(call),
      accounts: accounts(call),
      changes: changes(call),
      outbox: outbox(call),
      deliveries: deliveries(call),
      existing: (ids: readonly string[]) =>
        call('store.existing', () => new Set(ids.filter((id) => /^cus_[abc]$/.test(id)))),
    }),
    changing,
  }

  function changing<T>(work: (tables: Tables) => T): T {
    const answer = work(tables)
    watch(tables, false)
    return answer
  }

  /** Counting stays right by the offsets alone; that only the last taker commits is a rule too. */
  function fenced({ slices }: Measured, answer: Committed): Committed {
    for (const { partition, epoch } of answer.kind === 'committed' ? slices : []) {
      const last = tables.checkpoints.get(partition)?.epoch
      if (epoch !== last) world.problem(`${partition}: epoch ${epoch} commits in epoch ${last}`)
    }
    return answer
  }

  function raise(versions: Map<string, number>, name: string): void {
    versions.set(name, (versions.get(name) ?? 1) + 1)
  }

  function committed(call: Call, measured: Measured, hold: Hold | null): Promise<Committed> {
    const of = measured.slices.map((one) => `${one.partition}:${one.start}–${one.end}`)
    return call(`store.commit ${of.join(' ')}`, () => {
      if (hold?.isOver() === true) throw away()
      const answer = changing(() => fenced(measured, commitMeasured(tables, measured, mistakes)))
      hold?.release()
      return answer
    })
  }

  function measuring(call: Call): Measuring {
    return {
      take: (partition, logIdentity, namespace) =>
        call(`store.take ${partition}`, () =>
          changing(() =>
            takePartition(tables, partition, { logIdentity, namespace, epoch: ++takes }),
          ),
        ),
      checkpoints: () => call('store.checkpoints', () => [...tables.checkpoints.values()]),
      commit: (measured) => committed(call, measured, null),
      holding: async ({ catalogs, customers: held }, work) => {
        const names = [...catalogs.map(scopeName), ...held.map(customerName)]
        const hold = await call('store.hold', () => holds.take(names))
        // Its transaction ends with whatever becomes of it.
        return work((measured) => committed(call, measured, hold)).finally(hold.release)
      },
      rename: (partition, stretch, namespace) =>
        call(`store.rename ${partition}`, () =>
          changing(() => renameNamespace(tables, { ...stretch, partition, namespace })),
        ),
      halt: (partition, epoch, reason) =>
        call(`store.halt ${partition}`, () =>
          changing(() => haltPartition(tables, { partition, epoch, reason })),
        ),
      resume: (partition, epoch) =>
        call(`store.resume ${partition}`, () =>
          changing(() => resumePartition(tables, { partition, epoch })),
        ),
      heartbeat: (idle) =>
        call('store.heartbeat', () => changing(() => keepHeartbeat(tables, idle))),
      watermark: () => call('store.watermark', () => watermarkOf(tables)),
      batches,
      routes: (wanted) =>
        call('store.routes', () =>
          wanted
            .filter((key) => customerNames.has(customerName(key)))
            .map((key) => ({
              ...key,
              version: tables.routesVersions.get(customerName(key)) ?? 1,
              stamp: 0,
              routes: [],
            })),
        ),
    }

    async function* batches(partition: number, from: number, age: number) {
      let next = from
      for (;;) {
        const page: readonly StoredBatch[] = await call(`store.batches ${partition} ${next}`, () =>
          batchPage(tables, partition, { from: next, age, size: 3 }),
        )
        yield* page
        const last = page.at(-1)
        if (last === undefined) return
        next = last.end
      }
    }
  }

  function meters(call: Call): Pick<Meters, 'catalogOf'> {
    return {
      catalogOf: (wanted) =>
        call('store.catalogOf', () =>
          wanted
            .filter((scope) => scopes.some((one) => scopeName(one) === scopeName(scope)))
            .map((scope) => snapshotOf(scope, tables.catalogVersions.get(scopeName(scope)) ?? 1)),
        ),
    }
  }

  function changes(call: Call): Pick<Changes, 'commitEach'> {
    return {
      commitEach: (all) =>
        call(`store.commitEach ${all.map(({ key }) => key.customerId).join(' ')}`, () =>
          changing(() => saveAccounts(tables, all, { mistakes, now: world.now() })),
        ),
    }
  }

  function accounts(call: Call): Accounts {
    return {
      load: (keys) => call('store.load', () => loadAccounts(tables, keys)),
      due: (limit, quietMs, share) =>
        call('store.due', () =>
          dueAccounts(tables, { limit, before: world.now() - quietMs * millisecond, share }),
        ),
      dueOfEach: (limit, quietMs, { except, share }) =>
        call('store.dueOfEach', () => {
          const before = world.now() - quietMs * millisecond
          return dueOfEach(tables, { limit, before, share, except })
        }),
      unsettledOf: () => call('store.unsettledOf', () => [...tables.unsettled.values()]),
      backlog: () =>
        call('store.backlog', () => new Set([...tables.unsettled.values()].map(keyName)).size),
      setAside: (key, accountId, reason) =>
        call('store.setAside', () =>
          changing(() => {
            const row = tables.accounts.get(accountId)
            const at = world.now()
            const made = { key, accountId, version: 1, stamp: at, account: emptyAccount(precision) }
            const times = { ownCycleAt: at, createdAt: at, updatedAt: at, lastTransactionAt: null }
            const fresh = { ...made, ...times, settledAt: instantOf(0) }
            tables.accounts.set(accountId, { ...(row ?? fresh), setAside: reason })
          }),
        ),
      adjusted: (accountId, idempotencyKey) =>
        call('store.adjusted', () => tables.adjustments.has(`${accountId} ${idempotencyKey}`)),
    }
  }

  function outbox(call: Call): Outbox {
    return {
      waiting: (limit) => call('store.waiting', () => waitingFacts(tables, limit)),
      relay: (bodies, at) =>
        call(`store.relay ${bodies.length}`, () => changing(() => relayFacts(tables, bodies, at))),
    }
  }

  function deliveries(call: Call): Deliveries {
    return {
      claim: (options) => call('store.claim', () => claimDeliveries(tables, options, world.now())),
      record: (attempts) => call('store.record', () => recordAttempts(tables, attempts)),
      release: (claims) => call('store.release', () => releaseDeliveries(tables, claims)),
      tidy: () => Promise.resolve({ deliveries: 0, backlog: 0, filled: [] }),
      oldestOver: () => Promise.resolve(null),
      forget: () => Promise.resolve({ messages: 0, deliveries: 0, attempts: 0 }),
      ofEntry: () => Promise.resolve([]),
    }
  }
}
