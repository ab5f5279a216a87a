/** A line of a stream, by its number from 1. */
export interface NumberedLine {
  readonly number: number
  /** Without its line feed. Of a line that is too long, its beginning. */
  readonly bytes: Buffer
  readonly isTooLong: boolean
}

/** Cuts a stream into lines: never holds more of one than `lineBytesMax`. */
export interface LineSplitter {
  /** The lines that end in this chunk. */
  push(chunk: Uint8Array): readonly NumberedLine[]
  /** What stands behind the last line feed; null: nothing. */
  end(): NumberedLine | null
}

export function lineSplitter(lineBytesMax: number): LineSplitter {
  let parts: Buffer[] = []
  let [length, number] = [0, 1]
  return { push, end }

  function push(chunk: Uint8Array): readonly NumberedLine[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
    const lines: NumberedLine[] = []
    let from = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      keep(bytes.subarray(from, at))
      lines.push(line())
      from = at + 1
    }
    keep(bytes.subarray(from))
    return lines
  }

  function end(): NumberedLine | null {
    return length === 0 ? null : line()
  }

  function keep(part: Buffer): void {
    const room = Math.max(0, lineBytesMax - length)
    length += part.length
    if (part.length > 0 && room > 0) parts.push(part.subarray(0, room))
  }

  function line(): NumberedLine {
    const made = { number, bytes: Buffer.concat(parts), isTooLong: length > lineBytesMax }
    parts = []
    length = 0
    number += 1
    return made
  }
}
