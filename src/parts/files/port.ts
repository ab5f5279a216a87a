/** What is kept under the name that its own bytes give it. */
export interface KeptFile {
  /** SHA-256 of the bytes, as 64 hexadecimal digits. */
  readonly digest: string
  readonly bytes: number
}

/** Bytes from `from` to `to`, both included. */
export interface ByteRange {
  readonly from: number
  readonly to: number
}

/** Images and files, by their contents. [operations#files] */
export interface Files {
  /**
   * Keeps what comes. It is durable when this resolves. The same bytes are kept once. What
   * `content` throws is thrown on, and nothing is kept then.
   */
  keep(content: AsyncIterable<Uint8Array>): Promise<KeptFile>

  /** How many bytes are kept under the name; null: there is nothing of that name. */
  size(digest: string): Promise<number | null>

  /** All bytes, or those of the range, which lies within them; null: nothing has that name. */
  read(digest: string, range?: ByteRange): Promise<AsyncIterable<Uint8Array> | null>

  close(): Promise<void>
}
