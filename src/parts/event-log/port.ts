import type { Duration, Instant } from '../../std/instant.ts'
import type { EventsTrace } from '../../std/trace.ts'

/** An ordered part of the event log, chosen by event id: 0 … partitions − 1. */
export type Partition = number

/**
 * A record's position in its partition. Offsets rise by one in the embedded log, by gaps in Kafka.
 */
export type Offset = number

/** A micro-batch on its way in: NDJSON lines, each ended by `\n`, and the number of them. */
export interface NewRecord {
  readonly partition: Partition
  readonly value: Uint8Array
  readonly events: number
  /** The log time that it had in the log that it comes from. Absent: the append gives it one. */
  readonly at?: Instant
  /** The traces of the requests that it came with, and which of its lines are theirs. */
  readonly traces?: readonly EventsTrace[]
}

export interface LogRecord extends NewRecord {
  readonly offset: Offset
  /** Log time: the log's own clock at the append. May step back between records. */
  readonly at: Instant
}

/**
 * The partitioned, ordered, durable sequence of usage events, as the edge sees it.
 *
 * It is bounded: past its budget of bytes, or of free disk, `append` throws the fault UNAVAILABLE
 * before anything is written.
 */
export interface EventLog {
  readonly partitions: number

  /**
   * Names this very log. Another value means that the log was made anew, and old offsets mean
   * nothing.
   */
  readonly identity: string

  /** Identities of the logs that this one continues: their offsets mean the same here. */
  readonly formerly?: readonly string[]

  /**
   * Appends the records in one go and answers with their offsets, in order, only when they are
   * durable (embedded: fsynced; Kafka: acked by all in-sync replicas). When it throws, any of them
   * may or may not have been appended.
   */
  append(records: readonly NewRecord[]): Promise<readonly Offset[]>

  /** Why there is no room to append, as far as this side knows; null: there is. */
  lacks?(): string | null

  close(): Promise<void>
}

/** What a group calls about the partitions that its member holds. */
export interface GroupHandler {
  /**
   * The member holds this partition: answer where to read from. Called again after every rebalance.
   */
  taken(partition: Partition): Promise<Offset>
  /** Somebody else holds this partition now: forget what is in memory. */
  lost(partition: Partition): void
  /**
   * The offset up to which the handler has finished, for tools that watch the lag. Null: the
   * handler does not hold the partition (any more), so the group takes it again.
   */
  position?(partition: Partition): Offset | null
}

/** Consecutive records of one partition. */
export interface LogSlice {
  readonly partition: Partition
  readonly records: readonly LogRecord[]
}

/**
 * One member of the group that shares the partitions. It only assigns them: what keeps two members
 * from writing at once is the epoch.
 */
export interface LogGroup {
  /**
   * Answers up to `bytesMax` of records, of any held partitions, that follow those of earlier
   * polls; waits up to `waitMs` for the first, and answers nothing when none came. Gives only what
   * is durable.
   */
  poll(bytesMax: number, waitMs: number): Promise<readonly LogSlice[]>

  /** Reads on from `offset` again at the next poll: after a reload, or a quarantine. */
  seek(partition: Partition, offset: Offset): void

  /** Stops (true) or resumes delivery of one partition; others go on. */
  pause(partition: Partition, paused: boolean): void

  close(): Promise<void>
}

/** Random access, for digests, the archive and explanations. */
export interface LogReader {
  readonly partitions: number
  readonly identity: string
  /**
   * For how long an answer may lack records that were shown before: a broker that was away may be
   * asked before it knows what it missed. 0: never.
   */
  readonly lagMax: Duration

  /** Records from `from` (inclusive) on, at most `bytesMax` but at least one if there is one. */
  read(partition: Partition, from: Offset, bytesMax: number): Promise<readonly LogRecord[]>

  /** The first offset still kept, and the one that the next durable record will get. */
  bounds(partition: Partition): Promise<{ readonly first: Offset; readonly end: Offset }>

  /** Where each of these partitions ends, as `bounds` says it, in one question. */
  ends(partitions: readonly Partition[]): Promise<readonly Offset[]>

  /** Deletes records before `offset`. The caller makes sure that nobody needs them. */
  trim(partition: Partition, offset: Offset): Promise<void>

  close(): Promise<void>
}

/** What a log is told that goes on where another one ended. [machines#moving] */
export interface LogOrigin {
  /** Of each partition, from where on the log goes on, as it is stored and as everybody sees it. */
  readonly starts: readonly LogStart[]
  /** The identities of the logs that it continues, oldest first. */
  readonly formerly: readonly string[]
}

export interface LogStart {
  /** The first offset of the log itself that counts: what lies before it is none of the log's. */
  readonly stored: Offset
  /** The offset that this record has for everybody. */
  readonly offset: Offset
}
