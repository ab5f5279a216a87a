import { checkCode } from '../errors.ts'
import type { WireRequest } from './request.ts'
import { WireReader, WireWriter } from './wire.ts'

/** Which broker coordinates a group; an error code where that is not known yet. */
export interface Coordinator {
  readonly node: number
  readonly host: string
  readonly port: number
}

export function coordinatorRequest(group: string): WireRequest<Coordinator> {
  return {
    name: 'FindCoordinator',
    key: 10,
    version: 2,
    encode: (writer) => void writer.text(group).int8(0),
    decode(reader) {
      reader.int32()
      const code = reader.int16()
      reader.text()
      checkCode(code)
      return { node: reader.int32(), host: reader.text() ?? '', port: reader.int32() }
    },
  }
}

/** A member of one generation of a group. */
export interface Membership {
  readonly group: string
  readonly generation: number
  readonly member: string
}

export interface JoinRequest {
  readonly group: string
  /** Empty at the first join. */
  readonly member: string
  readonly sessionMs: number
  readonly rebalanceMs: number
  /** How partitions are shared out: all members must know it. */
  readonly protocol: string
  readonly about: Uint8Array
}

export interface Joined {
  readonly code: number
  readonly generation: number
  readonly leader: string
  /** The name to use from now on. */
  readonly member: string
  /** Only the group's leader is told. */
  readonly members: readonly { readonly member: string; readonly about: Buffer }[]
}

export function joinRequest(request: JoinRequest): WireRequest<Joined> {
  const { group, member, sessionMs, rebalanceMs, protocol, about } = request
  return {
    name: 'JoinGroup',
    key: 11,
    version: 4,
    encode(writer) {
      writer.text(group).int32(sessionMs).int32(rebalanceMs).text(member).text('consumer')
      writer.list([protocol], (name) => void writer.text(name).blob(about))
    },
    decode(reader) {
      reader.int32()
      const [code, generation] = [reader.int16(), reader.int32()]
      reader.text()
      const [leader, own] = [reader.text() ?? '', reader.text() ?? '']
      const members = reader.list(() => ({
        member: reader.text() ?? '',
        about: reader.blob() ?? Buffer.alloc(0),
      }))
      return { code, generation, leader, member: own, members }
    },
  }
}

export interface SyncRequest extends Membership {
  /** What the group's leader decided; the other members send nothing. */
  readonly shares: readonly { readonly member: string; readonly share: Uint8Array }[]
}

/** Answers this member's share. */
export function syncRequest(request: SyncRequest): WireRequest<Buffer> {
  const { group, generation, member, shares } = request
  return {
    name: 'SyncGroup',
    key: 14,
    version: 2,
    encode(writer) {
      writer.text(group).int32(generation).text(member)
      writer.list(shares, (one) => void writer.text(one.member).blob(one.share))
    },
    decode(reader) {
      reader.int32()
      checkCode(reader.int16())
      return reader.blob() ?? Buffer.alloc(0)
    },
  }
}

export function heartbeatRequest({ group, generation, member }: Membership): WireRequest<void> {
  return {
    name: 'Heartbeat',
    key: 12,
    version: 2,
    encode: (writer) => void writer.text(group).int32(generation).text(member),
    decode(reader) {
      reader.int32()
      checkCode(reader.int16())
    },
  }
}

export function leaveRequest(group: string, member: string): WireRequest<void> {
  return {
    name: 'LeaveGroup',
    key: 13,
    version: 2,
    encode: (writer) => void writer.text(group).text(member),
    decode(reader) {
      reader.int32()
      checkCode(reader.int16())
    },
  }
}

/** Stores positions for tools that watch the lag; nobody reads on from them. */
export function commitRequest(
  { group, generation, member }: Membership,
  topic: string,
  positions: ReadonlyMap<number, number>,
): WireRequest<void> {
  return {
    name: 'OffsetCommit',
    key: 8,
    version: 5,
    encode(writer) {
      writer.text(group).int32(generation).text(member)
      writer.list([topic], (name) => {
        writer.text(name).list([...positions], ([partition, offset]) => {
          writer.int32(partition).int64(offset).text(null)
        })
      })
    },
    decode(reader) {
      reader.int32()
      reader.list(() => {
        reader.text()
        reader.list(() => {
          reader.int32()
          checkCode(reader.int16())
        })
      })
    },
  }
}

/*
 * What members tell each other has the format of Kafka's own consumers, so that every tool can show
 * who holds what: the topic in the description, the partitions in the share. Which partitions a
 * member holds already stands in the description's free part.
 */

export function describeMember(topic: string, held: readonly number[]): Uint8Array {
  const own = new WireWriter()
  own.list(held, (partition) => void own.int32(partition))
  const writer = new WireWriter().int16(0)
  return writer.list([topic], (name) => void writer.text(name)).blob(own.bytes).bytes
}

/** The partitions that a member holds already; none where it is not a member of ours. */
export function heldBy(about: Buffer): readonly number[] {
  try {
    const reader = new WireReader(about)
    reader.int16()
    reader.list(() => reader.text())
    const own = new WireReader(reader.blob() ?? Buffer.alloc(0))
    return own.list(() => own.int32())
  } catch {
    return []
  }
}

export function writeShare(topic: string, partitions: readonly number[]): Uint8Array {
  const writer = new WireWriter().int16(0)
  writer.list([topic], (name) => {
    writer.text(name).list(partitions, (partition) => void writer.int32(partition))
  })
  return writer.blob(null).bytes
}

export function readShare(share: Buffer): readonly number[] {
  if (share.length === 0) return []
  const reader = new WireReader(share)
  reader.int16()
  return reader
    .list(() => {
      reader.text()
      return reader.list(() => reader.int32())
    })
    .flat()
}
