/** Bytes from `from` to `to`, both included. */
export interface AskedRange {
  readonly from: number
  readonly to: number
}

/**
 * What a `Range` header asks of so many bytes. `all`: there is none, or one that we answer with the
 * whole (several ranges, other units); `none`: no byte of it is there: 416. [RFC 9110 14.1.2]
 */
export function byteRange(header: string | null, bytes: number): AskedRange | 'all' | 'none' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), bytes)
    return length === 0 ? 'none' : { from: bytes - length, to: bytes - 1 }
  }
  const from = Number(first)
  const to = last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (last !== '' && Number(last) < from) return 'all'
  return from >= bytes ? 'none' : { from, to }
}
