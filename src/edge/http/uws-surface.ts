/** The part of the library's surface that we use. Valid only in the handler's first turn. */
export interface UwsRequest {
  getUrl(): string
  getQuery(): string | undefined
  /** In lower case. */
  getMethod(): string
  forEach(each: (name: string, value: string) => void): void
}

/** Valid until `end`, `endWithoutBody` or the handler for aborts, whichever comes first. */
export interface UwsResponse {
  writeStatus(status: string): unknown
  /**
   * Behind the value further headers may stand, each after a line's end: `7\r\nETag: "a"`. One call
   * for six takes half of what they would take one by one.
   */
  writeHeader(name: string, value: string): unknown
  end(body?: string | Uint8Array, closeConnection?: boolean): unknown
  /**
   * Begins or goes on with a body in chunks, which `end()` without arguments ends. Keeps what the
   * socket does not take, and answers false then, until `onWritable` is called.
   */
  write(chunk: string): boolean
  /**
   * Writes as much of a body of `totalSize` bytes as the socket takes, from where the last call
   * ended, and keeps nothing of the rest. Answers `[fitted, whole]`; once it is whole the response
   * is over.
   */
  tryEnd(chunk: string | Uint8Array, totalSize: number): [boolean, boolean]
  /**
   * After a `tryEnd` that was not whole, or a `write` that was false: called with the bytes written
   * so far when more fits. Answers whether what it wrote fitted.
   */
  onWritable(handler: (offset: number) => boolean): unknown
  /** Never call it with arguments, which releases interpret in different ways. */
  endWithoutBody(): unknown
  cork(write: () => void): unknown
  onAborted(handler: () => void): unknown
  /** The chunk is no longer valid when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): unknown
  close(): unknown
  /** Nothing more is read from the connection. */
  pause(): unknown
  resume?(): unknown
  /** As `pause` and `resume`, for a body that comes too fast; only node:http needs its own. */
  holdBody?(): void
  goOnBody?(): void
  /**
   * Nothing that follows this request on its connection becomes a request. Only node:http needs it:
   * the others hang up on whatever comes while an answer is owed.
   */
  last?(): void
  getRemoteAddressAsText(): ArrayBuffer
}

export type ListenSocket = object

export interface UwsApp {
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequest) => void): unknown
  listen(
    host: string,
    port: number,
    options: number,
    done: (socket: ListenSocket | false) => void,
  ): unknown
  /** On a Unix socket, which is made anew whatever is there. */
  listen_unix(done: (socket: ListenSocket | false) => void, path: string): unknown
  /** Ends every connection. Only in newer releases. */
  close?(): unknown
}

export interface Uws {
  App(): UwsApp
  us_listen_socket_close(socket: ListenSocket): void
  us_socket_local_port(socket: ListenSocket): number
}

/** Without it two processes could listen on one port by accident, and share its connections. */
export const listenExclusively = 1
