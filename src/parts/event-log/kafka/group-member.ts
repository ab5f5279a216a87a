import type { Logger } from '../../../runtime/logger.ts'
import type { Cluster } from '../../kafka/client/cluster.ts'
import type { BrokerLink } from '../../kafka/connection/broker-link.ts'
import type { KafkaError } from '../../kafka/errors.ts'
import { codeOf, errorOf, KafkaAway, reactionTo } from '../../kafka/errors.ts'
import type { Joined } from '../../kafka/protocol/group.ts'
import {
  commitRequest,
  coordinatorRequest,
  describeMember,
  heartbeatRequest,
  heldBy,
  joinRequest,
  leaveRequest,
  readShare,
  syncRequest,
  writeShare,
} from '../../kafka/protocol/group.ts'
import type { Offset, Partition } from '../port.ts'
import { sharePartitions } from './partition-shares.ts'
import type { Signal } from './signal.ts'

export interface MemberNeeds {
  readonly cluster: Cluster
  readonly group: string
  readonly topic: string
  readonly partitions: number
  readonly logger: Logger
  /** What this member holds; it asks to keep as much of that as its share allows. */
  readonly held: () => readonly Partition[]
  /** Called after every join with this member's share, whether or not that changed. */
  readonly shared: (partitions: readonly Partition[]) => void
  /** How far each partition is read, for tools that watch the lag. */
  readonly positions: () => ReadonlyMap<Partition, Offset>
}

/** One member of a consumer group, until it is closed. */
export interface Member {
  close(): Promise<void>
}

/** A place in a generation of the group. */
interface Place {
  readonly generation: number
  readonly member: string
}

/**
 * Joins the group and stays in it, whatever happens.
 *
 * - joining: the coordinator waits for all members. Meanwhile this member goes on reading what it
 *   holds, since safety does not depend on the group.
 * - member: its share has been passed on, and a heartbeat a second keeps its place. When the
 *   coordinator answers a heartbeat with "the group is sharing out again" or "unknown member", it
 *   joins again; when the connection breaks, it looks for the coordinator and goes on.
 */
export function joinGroup(needs: MemberNeeds, stopping: Signal): Member {
  const { cluster, group, topic, logger } = needs
  let link: BrokerLink | null = null
  let member = ''
  let coordinator = -1
  let [joining, closed] = [false, false]
  const running = run()
  return { close }

  async function run(): Promise<void> {
    let failures = 0
    while (!closed) {
      try {
        const place = await join()
        failures = 0
        await stay(place)
      } catch (error) {
        if (closed) return
        failures = takesAnotherTry(error) ? 0 : failures + 1
        if (failures > 0) {
          // While a group is joined for the very first time, it has no coordinator for a moment.
          const level = failures > patience ? 'warn' : 'debug'
          logger[level]({ error, group }, 'no place in the consumer group yet')
          await stopping.fired(Math.min(200 * 2 ** failures, retryMsMax))
        }
      }
    }
  }

  /** Whether to join again at once, without a pause. */
  function takesAnotherTry(error: unknown): boolean {
    const reaction = reactionTo('group', codeOf(error))
    if (reaction === 'rejoin') return true
    if (reaction === 'rejoin-as-new' || reaction === 'rejoin-left-behind') {
      const { code } = error as KafkaError
      logger.warn({ group, code }, 'the consumer group goes on without us: joining again')
      if (reaction === 'rejoin-as-new') member = ''
      return true
    }
    forgetLink()
    return false
  }

  async function join(): Promise<Place> {
    joining = true
    const joined = await joinOnce()
    joining = false
    member = joined.member
    const place = { generation: joined.generation, member }
    const shares = joined.leader === member ? sharesOf(joined) : []
    const request = syncRequest({ group, ...place, shares })
    const share = readShare(await (await linkOf()).request(request, rebalanceMs + answerMs))
    logger.info({ group, generation: place.generation, share }, 'partitions were shared out')
    needs.shared(share)
    return place
  }

  async function joinOnce(): Promise<Joined> {
    for (;;) {
      const about = describeMember(topic, needs.held())
      const times = { sessionMs, rebalanceMs }
      const request = joinRequest({ group, member, ...times, protocol: 'sluice', about })
      const joined = await (await linkOf()).request(request, rebalanceMs + sessionMs + answerMs)
      if (joined.code === 0) return joined
      // The first answer refuses, and gives the name to join under.
      if (reactionTo('group', joined.code) !== 'rejoin-named') throw errorOf(joined.code)
      member = joined.member
    }
  }

  function sharesOf({ members }: Joined) {
    const sharers = members.map((one) => ({ member: one.member, held: heldBy(one.about) }))
    const shares = sharePartitions(sharers, needs.partitions)
    return [...shares].map(([name, mine]) => ({ member: name, share: writeShare(topic, mine) }))
  }

  async function stay(place: Place): Promise<void> {
    let [committed, committedAt] = ['', performance.now()]
    let heardAt = performance.now()
    while (!closed) {
      await stopping.fired(heartbeatMs)
      if (closed) return
      try {
        await (await linkOf()).request(heartbeatRequest({ group, ...place }), answerMs)
        heardAt = performance.now()
        if (performance.now() - committedAt < commitMs) continue
        committedAt = performance.now()
        committed = await commit(place, committed)
      } catch (error) {
        // The place is ours until the session ends, so another connection may still save it.
        if (!lost(error) || performance.now() - heardAt > sessionMs) throw error
        forgetLink()
      }
    }
  }

  /** Only tools that show the lag read these positions, so a failure does no harm. */
  async function commit(place: Place, before: string): Promise<string> {
    const positions = needs.positions()
    const text = JSON.stringify([...positions])
    if (positions.size === 0 || text === before) return before
    const request = commitRequest({ group, ...place }, topic, positions)
    try {
      await (await linkOf()).request(request, answerMs)
      return text
    } catch (error) {
      logger.debug({ error, group }, 'Kafka was not told how far measuring has come')
      return before
    }
  }

  async function linkOf(): Promise<BrokerLink> {
    if (link !== null) return link
    const metadata = cluster.metadata() ?? (await cluster.refresh())
    const { node } = await askAny(metadata.brokers.map((one) => one.node))
    if (closed) throw new KafkaAway('The group is closed.')
    // A connection of its own, because the answer to a join takes as long as the slowest member.
    coordinator = node
    link = cluster.ownLink(node)
    return link
  }

  async function askAny(nodes: readonly number[]) {
    try {
      const asked = nodes.map((node) =>
        cluster.link(node).request(coordinatorRequest(group), answerMs),
      )
      return await Promise.any(asked)
    } catch (error) {
      await cluster.refresh()
      throw error instanceof AggregateError ? error.errors[0] : error
    }
  }

  function forgetLink(): void {
    link?.close()
    link = null
  }

  /** Leaves the group at once, so that the others need not wait until the session ends. */
  async function close(): Promise<void> {
    closed = true
    stopping.fire()
    if (link !== null && member !== '') {
      // A broker answers requests of one connection in order: a join under way would hold this one
      // up.
      const through = joining ? cluster.link(coordinator) : link
      await through.request(leaveRequest(group, member), leaveMs).catch((error: unknown) => {
        logger.debug({ error, group }, 'the consumer group was not told that we leave')
      })
    }
    forgetLink()
    await running
  }
}

const lost = (error: unknown): boolean =>
  error instanceof KafkaAway || reactionTo('group', codeOf(error)) === 'reconnect'

/** Short, so that partitions move within seconds; see `heartbeatMs` for what keeps a session. */
const sessionMs = 10_000
const rebalanceMs = 5_000
const heartbeatMs = 1_000
const commitMs = 5_000
const answerMs = 2_000
const leaveMs = 1_000
const retryMsMax = 5_000
const patience = 3
