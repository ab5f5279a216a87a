import type { Instant } from '../../std/instant.ts'
import { formatInstant, instantOf, parseInstant, second } from '../../std/instant.ts'

/**
 * Reads and writes timestamps like std/instant.ts, but remembers the last second: the events of a
 * request lie close together, and the date is what costs.
 */
export interface Timestamps {
  /** Null when the text is not an RFC 3339 date-time. */
  read(text: string): Instant | null
  write(at: Instant): string
}

const toTheSecond = 'yyyy-mm-ddThh:mm:ss'.length
const common = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:[0-5]\d(?:\.(\d{1,6}))?Z$/

export function timestamps(): Timestamps {
  let readText = ''
  let readSecond = 0
  let writtenText = ''
  let writtenSecond = Number.NaN
  return { read, write }

  function read(text: string): Instant | null {
    const match = common.exec(text)
    if (match === null) return parseInstant(text)
    const start = text.slice(0, toTheSecond)
    if (start !== readText) {
      const whole = parseInstant(`${start}Z`)
      if (whole === null) return null
      readText = start
      readSecond = whole
    }
    return instantOf(readSecond + Number((match[1] ?? '').padEnd(6, '0')))
  }

  function write(at: Instant): string {
    const micros = ((at % second) + second) % second
    const whole = at - micros
    if (whole !== writtenSecond) {
      writtenText = formatInstant(instantOf(whole)).slice(0, toTheSecond)
      writtenSecond = whole
    }
    return `${writtenText}.${String(second + micros).slice(1)}Z`
  }
}
