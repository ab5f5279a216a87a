/** One answer of a broker: the number of its request, and the bytes that follow. */
export interface Frame {
  readonly correlation: number
  readonly payload: Buffer
}

/** Cuts what a socket brings, in pieces of any size, into answers. */
export interface Frames {
  /** Answers the frames that `chunk` completes. Throws where the bytes cannot be Kafka's. */
  push(chunk: Buffer): readonly Frame[]
}

/** A frame is a length and that many bytes, of which the first four are the correlation id. */
export function createFrames(): Frames {
  // The pieces are joined only when an answer is whole: a fetch comes in a hundred of them.
  let chunks: Buffer[] = []
  let [held, needed] = [0, lengthBytes]
  return { push }

  function push(chunk: Buffer): readonly Frame[] {
    chunks.push(chunk)
    held += chunk.length
    const frames: Frame[] = []
    while (held >= needed) {
      const [first = empty] = chunks
      const bytes = chunks.length === 1 ? first : Buffer.concat(chunks, held)
      const end = lengthBytes + sizeOf(bytes)
      if (bytes.length < end) {
        keep(bytes, end)
        break
      }
      frames.push({
        correlation: bytes.readInt32BE(lengthBytes),
        payload: bytes.subarray(lengthBytes + correlationBytes, end),
      })
      keep(bytes.subarray(end), lengthBytes)
    }
    return frames
  }

  function keep(rest: Buffer, until: number): void {
    chunks = rest.length === 0 ? [] : [rest]
    held = rest.length
    needed = until
  }
}

function sizeOf(bytes: Buffer): number {
  const size = bytes.readInt32BE(0)
  if (size < correlationBytes || size > sizeMax) throw new Error('This is not Kafka that answers.')
  return size
}

const empty = Buffer.alloc(0)
const lengthBytes = 4
const correlationBytes = 4
/** Far above what we ask for, and far below what the first bytes of other protocols would mean. */
const sizeMax = 512 * 1024 * 1024
