import assert from 'node:assert/strict'
import { errorCodes } from './kafkajs.ts'

/**
 * What we do about an error that a broker answers, by the kind of request. Where an error has no
 * entry for a kind it is final: the caller gets it.
 */
interface Reactions {
  /**
   * Produce. `again`: ask who leads, and send the same records again until their deadline, which
   * may store them twice (dedupe takes the repeats out). `halve`: send smaller batches, until a
   * single record is refused.
   */
  readonly append?: 'again' | 'halve'
  /**
   * Fetch and ListOffsets. `again`: ask who leads, and ask the leader until the deadline. `gap`:
   * the offset is not kept; the reader shows the gap, the group asks its handler where to go on.
   */
  readonly read?: 'again' | 'gap'
  /**
   * CreateTopics and DescribeConfigs. `again`: ask again until the deadline. `exists`: all is well.
   */
  readonly admin?: 'again' | 'exists'
  /**
   * FindCoordinator, JoinGroup, SyncGroup, Heartbeat, OffsetCommit, LeaveGroup. `rejoin`: the group
   * is sharing its partitions out anew, join at once. `rejoin-left-behind`: it has done so without
   * us, join again. `rejoin-as-new`: it has forgotten us, join under a new name. `rejoin-named`:
   * join under the name that the answer gave. `reconnect`: ask who coordinates; until the session
   * ends we are still members. Any other error: wait, a little longer each time, then join.
   */
  readonly group?: 'rejoin' | 'rejoin-left-behind' | 'rejoin-as-new' | 'rejoin-named' | 'reconnect'
}

/**
 * All errors of Kafka that are retried, and how, by Kafka's names (where a name has changed, the
 * one from before 2.x). A broker that could not be reached, or did not answer in time
 * (`KafkaAway`), is treated like `again` and `reconnect`.
 */
const reactions: Readonly<Record<string, Reactions>> = {
  // Another broker leads by now, or soon will; or this one is about to lead.
  UNKNOWN_TOPIC_OR_PARTITION: { append: 'again', read: 'again', admin: 'again' },
  LEADER_NOT_AVAILABLE: { append: 'again', read: 'again', admin: 'again' },
  NOT_LEADER_FOR_PARTITION: { append: 'again', read: 'again', admin: 'again' },
  REPLICA_NOT_AVAILABLE: { append: 'again', read: 'again', admin: 'again' },
  FENCED_LEADER_EPOCH: { append: 'again', read: 'again', admin: 'again' },
  UNKNOWN_LEADER_EPOCH: { append: 'again', read: 'again', admin: 'again' },
  LISTENER_NOT_FOUND: { append: 'again', admin: 'again' },
  NOT_CONTROLLER: { append: 'again', admin: 'again' },
  OFFSET_NOT_AVAILABLE: { append: 'again', read: 'again', admin: 'again' },

  // The broker, its disk or its replicas do not keep up.
  REQUEST_TIMED_OUT: { append: 'again', read: 'again', admin: 'again' },
  KAFKA_STORAGE_ERROR: { append: 'again', read: 'again', admin: 'again' },
  NETWORK_EXCEPTION: { append: 'again', admin: 'again' },
  NOT_ENOUGH_REPLICAS: { append: 'again', admin: 'again' },
  NOT_ENOUGH_REPLICAS_AFTER_APPEND: { append: 'again', admin: 'again' },
  CORRUPT_MESSAGE: { append: 'again', admin: 'again' },
  UNKNOWN: { append: 'again' },

  MESSAGE_TOO_LARGE: { append: 'halve' },
  RECORD_LIST_TOO_LARGE: { append: 'halve' },
  OFFSET_OUT_OF_RANGE: { read: 'gap' },
  TOPIC_ALREADY_EXISTS: { admin: 'exists' },

  REBALANCE_IN_PROGRESS: { group: 'rejoin' },
  ILLEGAL_GENERATION: { group: 'rejoin-left-behind' },
  UNKNOWN_MEMBER_ID: { group: 'rejoin-as-new' },
  MEMBER_ID_REQUIRED: { group: 'rejoin-named' },
  NOT_COORDINATOR_FOR_GROUP: { group: 'reconnect' },
  GROUP_COORDINATOR_NOT_AVAILABLE: { group: 'reconnect' },
  GROUP_LOAD_IN_PROGRESS: { group: 'reconnect' },
}

/** What is done about a code; undefined: it is final. */
export function reactionTo<Kind extends keyof Reactions>(
  kind: Kind,
  code: number,
): Reactions[Kind] | undefined {
  return reactionsByCode.get(code)?.[kind]
}

const reactionsByCode: ReadonlyMap<number, Reactions> = new Map(
  Object.entries(reactions).map(([name, reaction]) => {
    const known = errorCodes.find(({ type }) => type === name)
    assert(known !== undefined, `Kafka has no error ${name}.`)
    return [known.code, reaction]
  }),
)

/** An error that a broker answered. */
export class KafkaError extends Error {
  override readonly name = 'KafkaError'
  /** Kafka's number for the error. */
  readonly number: number
  /** Kafka's name for it, as in the table above. */
  readonly code: string

  constructor(number: number, code: string, message: string) {
    super(`${code}: ${message}`)
    this.number = number
    this.code = code
  }
}

/** A broker could not be reached, or did not answer in time: what it did is unknown. */
export class KafkaAway extends Error {
  override readonly name = 'KafkaAway'
}

/** The code of a broker's answer; 0 for every other error. */
export const codeOf = (error: unknown): number => (error instanceof KafkaError ? error.number : 0)

/** The error of a code that is not 0. */
export function errorOf(code: number): KafkaError {
  const known = errorCodes.find((one) => one.code === code)
  return new KafkaError(
    code,
    known?.type ?? `ERROR_${code}`,
    known?.message ?? 'Kafka has an error that we do not know.',
  )
}

/** Throws where a broker's code is not 0. */
export function checkCode(code: number): void {
  if (code !== 0) throw errorOf(code)
}
