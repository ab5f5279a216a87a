/**
 * Kafka's primitive types: big-endian integers, texts and bytes behind their length, and the
 * variable-length integers of record batches and of newer requests.
 */
export class WireWriter {
  #bytes: Buffer
  #length = 0

  constructor(capacity = 256) {
    this.#bytes = Buffer.allocUnsafe(capacity)
  }

  /** A view of what was written; it holds until the next write. */
  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  get length(): number {
    return this.#length
  }

  /** Begins again, in the same memory. */
  clear(): this {
    this.#length = 0
    return this
  }

  int8(value: number): this {
    const at = this.#room(1)
    this.#bytes.writeInt8(value, at)
    return this
  }

  int16(value: number): this {
    const at = this.#room(2)
    this.#bytes.writeInt16BE(value, at)
    return this
  }

  int32(value: number): this {
    const at = this.#room(4)
    this.#bytes.writeInt32BE(value, at)
    return this
  }

  /** Whole numbers that a double holds exactly: 285 years of log at a billion records a second. */
  int64(value: number): this {
    const at = this.#room(8)
    const high = Math.floor(value / two32)
    this.#bytes.writeInt32BE(high, at)
    this.#bytes.writeUInt32BE(value - high * two32, at + 4)
    return this
  }

  text(value: string | null): this {
    if (value === null) return this.int16(-1)
    const size = Buffer.byteLength(value)
    this.int16(size)
    const at = this.#room(size)
    this.#bytes.write(value, at, 'utf8')
    return this
  }

  blob(value: Uint8Array | null): this {
    if (value === null) return this.int32(-1)
    return this.int32(value.length).raw(value)
  }

  raw(value: Uint8Array): this {
    const at = this.#room(value.length)
    this.#bytes.set(value, at)
    return this
  }

  list<T>(values: readonly T[], write: (value: T) => void): this {
    this.int32(values.length)
    for (const value of values) write(value)
    return this
  }

  unsigned(value: number): this {
    let rest = value
    while (rest > 0x7f) {
      this.int8((((rest & 0x7f) | 0x80) << 24) >> 24)
      rest = Math.floor(rest / 128)
    }
    return this.int8(rest)
  }

  /** A text behind its length plus one: the compact form of newer requests. */
  compactText(value: string): this {
    const size = Buffer.byteLength(value)
    this.unsigned(size + 1)
    const at = this.#room(size)
    this.#bytes.write(value, at, 'utf8')
    return this
  }

  /** Overwrites four bytes that were written before. */
  patch32(at: number, value: number): void {
    this.#bytes.writeInt32BE(value | 0, at)
  }

  #room(size: number): number {
    const at = this.#length
    const end = at + size
    if (end > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(end, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, at)
      this.#bytes = larger
    }
    this.#length = end
    return at
  }
}

/** Reads what a broker sent. Throws a RangeError where it ends too early. */
export class WireReader {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at = 0) {
    this.#bytes = bytes
    this.#at = at
  }

  get at(): number {
    return this.#at
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  int8(): number {
    return this.#bytes.readInt8(this.#take(1))
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#take(2))
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#take(4))
  }

  int64(): number {
    const at = this.#take(8)
    return this.#bytes.readInt32BE(at) * two32 + this.#bytes.readUInt32BE(at + 4)
  }

  text(): string | null {
    const size = this.int16()
    return size < 0 ? null : this.#text(size)
  }

  blob(): Buffer | null {
    const size = this.int32()
    return size < 0 ? null : this.raw(size)
  }

  /** A view, not a copy. */
  raw(size: number): Buffer {
    const at = this.#take(size)
    return this.#bytes.subarray(at, at + size)
  }

  list<T>(read: () => T): T[] {
    const count = this.int32()
    const values: T[] = []
    for (let index = 0; index < count; index += 1) values.push(read())
    return values
  }

  unsigned(): number {
    let [value, scale] = [0, 1]
    for (;;) {
      const byte = this.int8() & 0xff
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 128
    }
  }

  /** A zigzag integer of a record. */
  varint(): number {
    const value = this.unsigned()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  compactText(): string | null {
    const size = this.unsigned()
    return size === 0 ? null : this.#text(size - 1)
  }

  compactList<T>(read: () => T): T[] {
    const count = this.unsigned() - 1
    const values: T[] = []
    for (let index = 0; index < count; index += 1) values.push(read())
    return values
  }

  /** Skips the tagged fields that newer brokers add. */
  tags(): void {
    const count = this.unsigned()
    for (let index = 0; index < count; index += 1) {
      this.unsigned()
      this.raw(this.unsigned())
    }
  }

  #text(size: number): string {
    const at = this.#take(size)
    return this.#bytes.toString('utf8', at, at + size)
  }

  #take(size: number): number {
    const at = this.#at
    if (size < 0 || at + size > this.#bytes.length) {
      throw new RangeError(`A message of Kafka ends before byte ${at + size}.`)
    }
    this.#at = at + size
    return at
  }
}

const two32 = 2 ** 32
